import { staffInvite } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote } from "../parts/FormErrors.tsx"
import { MemberFields, memberForm, memberIn } from "./fields.tsx"

/** Invites a staff member. */
export const view: PageView = ({ refused, shown: { site } }) => {
  const form = memberForm(refused, { role: "staff", notify: "on" })
  return Effect.succeed({
    title: "Invite a team member",
    part: "team",
    lead: "The new team member gets a sign-in link by email.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <FormErrorNote of={form.mistakes} />
        <Field
          {...form.field("email")}
          input={{ type: "email", maxLength: 254, autocomplete: "off", spellcheck: false }}
        />
        <MemberFields of={form} />
        <FormButtons site={site} confirm="Send invitation" back="/dashboard/team" />
      </form>
    )
  })
}

export const act: FormAction = ({ form, run }) =>
  Effect.as(
    run(staffInvite, { email: form["email"] ?? "", ...memberIn(form) }),
    withFlash("/dashboard/team", "invited")
  )
