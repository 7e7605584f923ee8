import { staffChangeMember, staffMembers } from "@trailbook/core/operation/memberOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { Acts } from "../parts/Acts.tsx"
import { MistakesNote } from "../parts/Mistakes.tsx"
import type { Act, View } from "../View.ts"
import { MemberFields, memberForm, memberIn } from "./fields.tsx"
import { isOnlyOwner, nameOf } from "./members.ts"

/**
 * What somebody may do, and what they are mailed.
 *
 * @category views
 */
export const view: View = ({ param, refused, run, shown: { me, site } }) =>
  Effect.gen(function*() {
    const { data } = yield* run(staffMembers, {})
    const member = data.find(({ id }) => id === param("id"))
    if (member === undefined) return yield* notFound("member of the staff", param("id").slice(0, 40))
    const form = memberForm(refused, { name: member.name, role: member.role, notify: member.notify ? "on" : "" })
    const isOnly = isOnlyOwner(data, member)
    return {
      title: nameOf(member),
      part: "team" as const,
      lead: member.name === "" ? undefined : member.email,
      isLive: false,
      body: (
        <div class="stack narrow">
          <form class="card pad stack" method="post" data-once="">
            <MistakesNote of={form.mistakes} />
            {isOnly && (
              <p class="note">
                {member.id === me.id ? "You are" : "This is"}{" "}
                the only owner. There has to be one, so make somebody else an owner before this one leaves or becomes
                staff.
              </p>
            )}
            <MemberFields of={form} />
            {member.id === me.id && !isOnly && (
              <p class="hint">As staff you could not open this page any more, and only an owner could change that.</p>
            )}
            <Acts site={site} confirm="Save" back="/dashboard/team" />
          </form>
          {!isOnly && (
            <p>
              <a class="btn bad" href={site.link(`/dashboard/team/${member.id}/remove`)}>Remove from the team</a>
            </p>
          )}
        </div>
      )
    }
  })

/**
 * Whoever makes themselves staff cannot see the team any more, and goes on to what they can see.
 *
 * @category actions
 */
export const act: Act = ({ form, param, run, shown: { me } }) =>
  Effect.map(
    run(staffChangeMember, { id: param("id"), ...memberIn(form) }),
    (member) => saying(member.id === me.id && member.role === "staff" ? "/dashboard" : "/dashboard/team", "saved")
  )
