/**
 * The fields of the public forms, and their validation in the guest's language. The validation uses the operations'
 * input schemas, so the operation accepts every form that passes it.
 */
import { publicAsk, publicBook } from "@trailbook/core/operation"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Text } from "../text/Text.ts"
import { Field, type FieldProps } from "../ui/Field.tsx"
import type { ContactFormValues } from "./BookingSelection.ts"
import { honeypotName } from "./formStateSigner.ts"

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

/** Error messages by field name. */
export type BookingFormErrors = Partial<
  Readonly<Record<"name" | "email" | "phone" | "notes" | "discount_code" | "body", string>>
>

const { discount_code, email, name, notes, phone } = publicBook.input.fields
const bookFields = { name, email, phone, notes } as const
const askFields = { name, email, body: publicAsk.input.fields.body } as const

export const findBookingFormErrors = (
  { book: { errors } }: Text,
  values: Readonly<Record<keyof typeof bookFields | "discount_code", string>>
): BookingFormErrors =>
  wrongOf(Schema.Struct(values.discount_code === "" ? bookFields : { ...bookFields, discount_code }), values, errors)

export const findQuestionFormErrors = (
  { book: { errors } }: Text,
  values: Readonly<Record<keyof typeof askFields, string>>
): BookingFormErrors => wrongOf(Schema.Struct(askFields), values, { ...errors, body: errors.question })

const wrongOf = (
  schema: Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields },
  values: Readonly<Record<string, string>>,
  messages: Readonly<Record<string, string>>
): BookingFormErrors => {
  const isWrong = (key: string) =>
    Either.isLeft(Schema.decodeUnknownEither(schema.pipe(Schema.pick(key)))({ [key]: values[key] }))
  return Object.fromEntries(Object.keys(schema.fields).filter(isWrong).map((key) => [key, messages[key] ?? ""]))
}

/** Hidden fields with the signed form state, and a honeypot field for bots. */
export const HoneypotField = ({ label, state }: { readonly label: string; readonly state: string }) => (
  <>
    <input type="hidden" name="shown" value={state} />
    <div class="trap" aria-hidden="true">
      <label for={honeypotName}>{label}</label>
      <input
        id={honeypotName}
        name={honeypotName}
        type="text"
        tabIndex={-1}
        autocomplete="off"
        data-1p-ignore=""
        data-bwignore=""
        data-lpignore="true"
        value=""
      />
    </div>
  </>
)
