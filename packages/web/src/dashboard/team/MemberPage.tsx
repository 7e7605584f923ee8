import { notFound } from "@trailbook/core/Refusal"
import { staffChangeMember, staffMembers } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote } from "../parts/FormErrors.tsx"
import { MemberFields, memberForm, memberIn } from "./fields.tsx"
import { isOnlyOwner, memberName } from "./members.ts"

/** Role and notifications of a staff member. */
export const view: PageView = ({ param, refused, run, shown: { me, site } }) =>
  Effect.gen(function*() {
    const { data } = yield* run(staffMembers, {})
    const member = data.find(({ id }) => id === param("id"))
    if (member === undefined) return yield* notFound("staff member", param("id").slice(0, 40))
    const form = memberForm(refused, { name: member.name, role: member.role, notify: member.notify ? "on" : "" })
    const isOnly = isOnlyOwner(data, member)
    return {
      title: memberName(member),
      part: "team" as const,
      lead: member.name === "" ? undefined : member.email,
      isLive: false,
      body: (
        <div class="stack narrow">
          <form class="card pad stack" method="post" data-once="">
            <FormErrorNote of={form.mistakes} />
            {isOnly && (
              <p class="note">
                {member.id === me.id ? "You are" : "This is"} the only owner. Make another team member an owner first.
              </p>
            )}
            <MemberFields of={form} />
            {member.id === me.id && !isOnly && (
              <p class="hint">As staff, you could no longer open this page. Only an owner could change that.</p>
            )}
            <FormButtons site={site} confirm="Save" back="/dashboard/team" />
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

/** Owners who give up their role can no longer see the team, so they are redirected to another page. */
export const act: FormAction = ({ form, param, run, shown: { me } }) =>
  Effect.map(
    run(staffChangeMember, { id: param("id"), ...memberIn(form) }),
    (member) => withFlash(member.id === me.id && member.role === "staff" ? "/dashboard" : "/dashboard/team", "saved")
  )
