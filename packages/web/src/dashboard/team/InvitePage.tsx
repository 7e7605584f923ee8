import { staffInvite } from "@trailbook/core/operation/memberOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { saying } from "../frame/said.ts"
import { Acts } from "../parts/Acts.tsx"
import { MistakesNote } from "../parts/Mistakes.tsx"
import type { Act, View } from "../View.ts"
import { MemberFields, memberForm, memberIn } from "./fields.tsx"

/**
 * Who is to work here, too.
 *
 * @category views
 */
export const view: View = ({ refused, shown: { site } }) => {
  const form = memberForm(refused, { role: "staff", notify: "on" })
  return Effect.succeed({
    title: "Invite somebody",
    part: "team",
    lead: "They are mailed a link that signs them in.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <MistakesNote of={form.mistakes} />
        <Field
          {...form.field("email")}
          input={{ type: "email", maxLength: 254, autocomplete: "off", spellcheck: false }}
        />
        <MemberFields of={form} />
        <Acts site={site} confirm="Send the invitation" back="/dashboard/team" />
      </form>
    )
  })
}

/**
 * @category actions
 */
export const act: Act = ({ form, run }) =>
  Effect.as(
    run(staffInvite, { email: form["email"] ?? "", ...memberIn(form) }),
    saying("/dashboard/team", "invited")
  )
