import { variables } from "@trailbook/core/conversation/fillIn"
import type { Form } from "@trailbook/http/form"
import { Field, TextField } from "../../ui/Field.tsx"
import { problemOf } from "../parts/problem.ts"
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
  const problem = problemOf(refused, { title: "The title", body: "The words" })
  const errorOf = (field: string) => problem?.field === field ? problem.message : undefined
  return (
    <>
      {problem !== undefined && <p class="note wrong" role="alert" tabIndex={-1} data-focus="">{problem.message}</p>}
      <Field
        name="title"
        label="Title"
        hint="What you pick it by. Guests do not see it."
        value={form["title"]}
        error={errorOf("title")}
        input={{ maxLength: 80 }}
      />
      <TextField
        name="body"
        label="Words"
        hint={`These are filled in for each guest: ${variables.map((name) => `{${name}}`).join(", ")}`}
        value={form["body"]}
        error={errorOf("body")}
        rows={6}
        maxLength={5000}
      />
    </>
  )
}
