import { notFound } from "@trailbook/core/Refusal"
import { staffMembers, staffRemoveMember } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { isOnlyOwner, memberName } from "./members.ts"

/** Confirmation page for removing a staff member. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { param, run, shown: { me, site } } = asked
    const { data } = yield* run(staffMembers, {})
    const member = data.find(({ id }) => id === param("id"))
    if (member === undefined) return yield* notFound("staff member", param("id").slice(0, 40))
    const isMe = member.id === me.id
    const others = data.filter(({ id, notify }) => notify && id !== member.id).length
    const body = isOnlyOwner(data, member)
      ? (
        <div class="stack narrow">
          <p class="note wrong" role="alert">
            The only owner cannot be removed. Make another team member an owner first.
          </p>
          <p>
            <a class="btn" href={site.link("/dashboard/team")}>Go back</a>
          </p>
        </div>
      )
      : (
        <Consequence
          asked={asked}
          happens={[
            isMe
              ? "You are signed out everywhere immediately and cannot sign in again."
              : "They are signed out everywhere immediately and cannot sign in again.",
            "Bookings, notes, and messages are kept. The audit log no longer shows their name.",
            "Assistants that they connected are disconnected. API keys keep working: revoke the keys they know.",
            ...member.notify && others === 0 ? ["No other team member gets an email when a guest writes."] : []
          ]}
          confirm={isMe ? "Remove myself" : "Remove from the team"}
          back={`/dashboard/team/${member.id}`}
        />
      )
    return {
      title: isMe ? "Remove yourself from the team?" : `Remove ${memberName(member)} from the team?`,
      part: "team" as const,
      lead: member.name === "" ? undefined : member.email,
      body
    }
  })

export const act: FormAction = ({ param, run, shown: { me } }) =>
  Effect.map(
    run(staffRemoveMember, { id: param("id") }),
    ({ id }) => id === me.id ? "/sign-in" : withFlash("/dashboard/team", "left")
  )
