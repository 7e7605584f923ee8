import { staffMembers } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { nameInitial } from "../../ui/nameInitial.ts"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { IconLink } from "../parts/Icon.tsx"
import { LinkList } from "../parts/LinkList.tsx"
import { isOnlyOwner, memberName } from "./members.ts"

/**
 * Who works here, and what they may do.
 *
 * @category views
 */
export const view: PageView = ({ run, shown: { format, me, site } }) =>
  Effect.map(run(staffMembers, {}), ({ data }) => ({
    title: "Team",
    part: "team",
    lead: "Owners decide who and what opens all of this; staff do the daily work.",
    actions: (
      <IconLink site={site} icon="plus" href={site.link("/dashboard/team/invite")} isMain>Invite somebody</IconLink>
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
                    {`here since ${format.longDay(member.created_at)}`}
                  </p>
                  <p class="soft small">
                    {member.notify ? "gets a mail when a guest writes" : "gets no mail when a guest writes"}
                  </p>
                  {isOnlyOwner(data, member) && (
                    <p class="soft small">The only owner: make somebody else one before they can leave.</p>
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
              Nobody gets a mail when a guest writes. Messages wait in the inbox until somebody looks.
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
    title: "Where people are signed in",
    text: "Every browser that is in, and a button that signs it out."
  },
  {
    path: "/dashboard/passkeys",
    title: "Passkeys",
    text: "Sign in with a fingerprint, a face or a key instead of a mail."
  },
  {
    path: "/dashboard/audit",
    title: "What was changed",
    text: "People, keys, logins, assistants and payments: who changed what, and when."
  }
] as const
