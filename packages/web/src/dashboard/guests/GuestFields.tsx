import { Field, TextField } from "../../ui/Field.tsx"
import type { FormView } from "../parts/FormErrors.tsx"

/** Field labels, also used in error messages. */
export const labels = {
  email: "Email",
  name: "Name",
  phone: "Phone",
  notes: "Notes",
  metadata: "Custom data (JSON)"
}

/** Guest fields other than the email address. */
export const GuestFields = (
  { of: { field, mistakes, typed } }: { readonly of: FormView<keyof typeof labels> }
) => {
  const of = (name: keyof typeof labels) => ({ ...field(name), optional: "optional" })
  return (
    <>
      <Field {...of("name")} input={{ maxLength: 120, autocomplete: "off", dir: "auto" }} />
      <Field {...of("phone")} input={{ type: "tel", maxLength: 40, autocomplete: "off" }} />
      <TextField {...of("notes")} hint="Visible to your team only." rows={5} maxLength={5000} />
      <details open={mistakes.of("metadata") !== undefined || (typed["metadata"] ?? "") !== ""}>
        <summary>For programs</summary>
        <TextField {...of("metadata")} hint="A JSON object." rows={3} maxLength={16_384} />
      </details>
    </>
  )
}
