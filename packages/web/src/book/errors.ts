/**
 * What is wrong with a form, in the reader's words. What it looks at is what the operation reads, so a form that is fine
 * here is fine there.
 */
import { visitAsk, visitBook } from "@trailbook/core/operation/visitOperations"
import * as Schema from "effect/Schema"
import type { Text } from "../text/Text.ts"

/**
 * By the names of fields.
 *
 * @category models
 */
export type BookErrors = Partial<Readonly<Record<"name" | "email" | "phone" | "notes" | "body", string>>>

type Checked = Readonly<Record<string, string>>

const { email, name, notes, phone } = visitBook.input.fields
const bookFields = { name, email, phone, notes } as const
const askFields = { name, email, body: visitAsk.input.fields.body } as const

/**
 * @category checks
 */
export const bookErrors = (
  { book: { errors } }: Text,
  typed: Readonly<Record<keyof typeof bookFields, string>>
): BookErrors => wrongOf(Schema.Struct(bookFields), typed, errors)

/**
 * @category checks
 */
export const askErrors = (
  { book: { errors } }: Text,
  typed: Readonly<Record<keyof typeof askFields, string>>
): BookErrors => wrongOf(Schema.Struct(askFields), typed, { ...errors, body: errors.question })

const wrongOf = (
  schema: Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields },
  typed: Checked,
  messages: Readonly<Record<string, string>>
): BookErrors => {
  const wrong: Record<string, string> = {}
  const keys = Object.keys(schema.fields)
  const every = Schema.decodeUnknownEither(schema, { errors: "all" })(
    Object.fromEntries(keys.map((key) => [key, typed[key]]))
  )
  if (every._tag === "Right") return wrong
  for (const key of keys) {
    const alone = schema.pipe(Schema.pick(key))
    if (Schema.decodeUnknownEither(alone)({ [key]: typed[key] })._tag === "Left") wrong[key] = messages[key] ?? ""
  }
  return wrong
}
