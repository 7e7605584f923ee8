import { staffMembers } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { nameInitial } from "../../ui/nameInitial.ts"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { IconLink } from "../parts/Icon.tsx"
import { LinkList } from "../parts/LinkList.tsx"
import { isOnlyOwner, memberName } from "./members.ts"

/** Staff members and their roles. */
export const view: PageView = ({ run, shown: { format, me, site } }) =>
  Effect.map(run(staffMembers, {}), ({ data }) => ({
    title: "Team",
    part: "team",
    lead: "Owners manage access, payments, and settings. Staff handle daily bookings.",
    actions: (
      <IconLink site={site} icon="plus" href={site.link("/dashboard/team/invite")} isMain>
        Invite a team member
      </IconLink>
    ),
    body: (
      <div class="stack">
        <Card id="people" title="People">
          <ul class="rows">
            {data.map((member) => (
              <li key={member.id}>
                <span class="who" aria-hidden="true">{nameInitial(memberName(member))}</span>
                <div class="grow">
                  <b dir="auto">{memberName(member)}</b>
                  <span class={member.role === "owner" ? "tag ok" : "tag"}>{member.role}</span>
                  {member.id === me.id && <span class="tag info">you</span>}
                  <p class="soft small" dir="auto">
                    {member.name === "" ? "" : `${member.email} · `}
                    {`member since ${format.longDay(member.created_at)}`}
                  </p>
                  <p class="soft small">
                    {member.notify ? "gets email when a guest writes" : "no email when a guest writes"}
                  </p>
                  {isOnlyOwner(data, member) && (
                    <p class="soft small">The only owner. Make another team member an owner first.</p>
                  )}
                </div>
                <a
                  class="btn"
                  href={site.link(`/dashboard/team/${member.id}`)}
                  aria-label={`Change: ${memberName(member)}`}
                >
                  Change
                </a>
              </li>
            ))}
          </ul>
          {!data.some(({ notify }) => notify) && (
            <p class="note pad">
              No team member gets an email when a guest writes. Check the inbox regularly.
            </p>
          )}
        </Card>
        <Card id="entry" title="Signing in">
          <LinkList site={site} to={ways} />
        </Card>
      </div>
    )
  }))

const ways = [
  {
    path: "/dashboard/logins",
    title: "Signed-in browsers",
    text: "See which browsers are signed in, and sign them out."
  },
  {
    path: "/dashboard/passkeys",
    title: "Passkeys",
    text: "Sign in with a fingerprint, face, or security key instead of an email link."
  },
  {
    path: "/dashboard/audit",
    title: "Audit log",
    text: "Changes to the team, keys, sign-ins, assistants, payments, and settings, with person and time."
  }
] as const
