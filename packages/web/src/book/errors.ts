/**
 * Validates the public forms and returns errors in the guest's language. Uses the operations' input schemas, so the
 * operation accepts every form that passes this validation.
 */
import { publicAsk, publicBook } from "@trailbook/core/operation"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Text } from "../text/Text.ts"

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
