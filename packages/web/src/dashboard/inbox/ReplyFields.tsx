import { templateVariables } from "@trailbook/core/conversation/saved-reply/renderTemplate"
import type { Form } from "@trailbook/http/form"
import { Field, TextField } from "../../ui/Field.tsx"
import type { RejectedForm } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"

/** Fields of a saved reply. */
export const ReplyFields = ({ fresh, refused }: {
  readonly fresh: Form
  readonly refused: RejectedForm | undefined
}) => {
  const { field, mistakes } = makeForm(refused, { title: "Title", body: "Words" }, fresh)
  return (
    <>
      <FormErrorNote of={mistakes} />
      <Field
        {...field("title")}
        hint="For your team only. Guests do not see the title."
        input={{ maxLength: 80 }}
      />
      <TextField
        {...field("body")}
        hint={`Filled in for each guest: ${templateVariables.map((name) => `{${name}}`).join(", ")}`}
        rows={6}
        maxLength={5000}
      />
    </>
  )
}
