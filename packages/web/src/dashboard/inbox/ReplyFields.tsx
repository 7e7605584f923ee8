import { variables } from "@trailbook/core/conversation/fillIn"
import type { Form } from "@trailbook/http/form"
import { Field, TextField } from "../../ui/Field.tsx"
import { formOf, MistakesNote } from "../parts/Mistakes.tsx"
import type { Refused } from "../View.ts"

/**
 * A saved reply, to be written.
 *
 * @category views
 */
export const ReplyFields = ({ fresh, refused }: {
  readonly fresh: Form
  readonly refused: Refused | undefined
}) => {
  const { field, mistakes } = formOf(refused, { title: "Title", body: "Words" }, fresh)
  return (
    <>
      <MistakesNote of={mistakes} />
      <Field
        {...field("title")}
        hint="What you pick it by. Guests do not see it."
        input={{ maxLength: 80 }}
      />
      <TextField
        {...field("body")}
        hint={`These are filled in for each guest: ${variables.map((name) => `{${name}}`).join(", ")}`}
        rows={6}
        maxLength={5000}
      />
    </>
  )
}
