import { variables } from "@trailbook/core/conversation/fillIn"
import type { Form } from "@trailbook/http/form"
import { Field, TextField } from "../../ui/Field.tsx"
import { MistakesNote, mistakesOf } from "../parts/Mistakes.tsx"
import type { Refused } from "../View.ts"

/**
 * A saved reply, to be written.
 *
 * @category views
 */
export const ReplyFields = ({ form, refused }: {
  readonly form: Form
  readonly refused: Refused | undefined
}) => {
  const mistakes = mistakesOf(refused, { title: "Title", body: "Words" })
  return (
    <>
      <MistakesNote of={mistakes} />
      <Field
        name="title"
        label="Title"
        hint="What you pick it by. Guests do not see it."
        value={form["title"]}
        error={mistakes.of("title")}
        input={{ maxLength: 80 }}
      />
      <TextField
        name="body"
        label="Words"
        hint={`These are filled in for each guest: ${variables.map((name) => `{${name}}`).join(", ")}`}
        value={form["body"]}
        error={mistakes.of("body")}
        rows={6}
        maxLength={5000}
      />
    </>
  )
}
