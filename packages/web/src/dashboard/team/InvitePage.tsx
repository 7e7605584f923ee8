import { staffInvite } from "@trailbook/core/operation/memberOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { saying } from "../frame/said.ts"
import { MistakesNote } from "../parts/Mistakes.tsx"
import type { Act, View } from "../View.ts"
import { MemberFields, memberMistakes, roleOf } from "./fields.tsx"

/**
 * Who is to work here, too.
 *
 * @category views
 */
export const view: View = ({ refused, shown: { site } }) => {
  const mistakes = memberMistakes(refused)
  const { email, name = "", notify, role = "staff" }: Readonly<Record<string, string>> = refused?.form ??
    { notify: "on" }
  return Effect.succeed({
    title: "Invite somebody",
    part: "team",
    lead: "They are mailed a link that signs them in.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <MistakesNote of={mistakes} />
        <Field
          name="email"
          label="E-mail address"
          value={email}
          error={mistakes.of("email")}
          input={{ type: "email", maxLength: 254, autocomplete: "off", spellcheck: false }}
        />
        <MemberFields mistakes={mistakes} typed={{ name, role, notify: notify === "on" }} />
        <p class="acts">
          <button class="btn main">Send the invitation</button>
          <a class="btn" href={site.link("/dashboard/team")}>Go back</a>
        </p>
      </form>
    )
  })
}

/**
 * @category actions
 */
export const act: Act = ({ form, run }) => {
  const role = roleOf(form["role"])
  return Effect.as(
    run(staffInvite, {
      email: form["email"] ?? "",
      name: form["name"] ?? "",
      notify: form["notify"] === "on",
      ...(role === undefined ? {} : { role })
    }),
    saying("/dashboard/team", "invited")
  )
}
