import type { Text } from "../text/Text.ts"
import { Field, type FieldProps } from "../ui/Field.tsx"
import type { ContactFormValues } from "./ContactFormValues.ts"
import type { BookingFormErrors } from "./errors.ts"

const inputs = {
  name: { autocomplete: "name", maxLength: 120, dir: "auto" },
  email: { type: "email", autocomplete: "email", maxLength: 254, spellcheck: false },
  phone: { type: "tel", autocomplete: "tel", maxLength: 40 },
  discount_code: { autocomplete: "off", autocapitalize: "characters", maxLength: 40, spellcheck: false }
} as const

/** The contact fields by name, with their typed values and errors. */
export const makeContactFields =
  (book: Text["book"], values: Partial<ContactFormValues>, errors: BookingFormErrors) =>
  (name: keyof typeof inputs, options: Pick<FieldProps, "hint" | "optional"> = {}) => (
    <Field name={name} label={book[name]} value={values[name]} error={errors[name]} input={inputs[name]} {...options} />
  )
