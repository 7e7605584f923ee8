/**
 * The parts that answers are made of. Views are plain JSON already, so their
 * schemas describe and check, and nothing is encoded on the way out.
 */
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { means } from "./Field.ts"

/**
 * `2027-05-01T15:00:00.000Z`.
 *
 * @category schemas
 */
export const Timestamp = Schema.String.annotations({
  examples: ["2027-05-01T15:00:00.000Z"],
  jsonSchema: { type: "string", format: "date-time" }
})

/**
 * @category schemas
 */
export const Id = Schema.String.annotations({ jsonSchema: { type: "string", format: "uuid" } })

/**
 * Ids that examples are made of.
 *
 * @category constants
 */
export const ids = {
  org: "0197c0de-0000-7000-8000-000000000001",
  offering: "0197c0de-0000-7000-8000-000000000002",
  session: "0197c0de-0000-7000-8000-000000000003",
  customer: "0197c0de-0000-7000-8000-000000000004",
  booking: "0197c0de-0000-7000-8000-000000000005",
  webhook: "0197c0de-0000-7000-8000-000000000006",
  conversation: "0197c0de-0000-7000-8000-000000000007",
  message: "0197c0de-0000-7000-8000-000000000008",
  savedReply: "0197c0de-0000-7000-8000-000000000009",
  attachment: "0197c0de-0000-7000-8000-00000000000a",
  proposal: "0197c0de-0000-7000-8000-00000000000c"
} as const

/**
 * @category schemas
 */
export const Integer = Schema.Int.annotations({ jsonSchema: { type: "integer" } })

/**
 * @category schemas
 */
export const Decimal = Schema.Number.annotations({ jsonSchema: { type: "number" } })

/**
 * A date on the calendar of the org.
 *
 * @category schemas
 */
export const Date = Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } })

/**
 * A free-form JSON object.
 *
 * @category schemas
 */
export const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object", additionalProperties: true }
})

/**
 * Any JSON value.
 *
 * @category schemas
 */
export const Json = Schema.Unknown.annotations({ jsonSchema: {} })

/**
 * `{ data: [...] }` with `next_cursor` while there is more.
 *
 * @category schemas
 */
export const page = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    data: means("this page", Schema.Array(item)),
    next_cursor: Schema.optionalWith(means("there is more: pass it as cursor of the next request", Schema.String), {
      exact: true
    })
  })

/**
 * @category schemas
 */
export const Ok = Schema.Struct({ ok: means("always true", Schema.Literal(true)) })

/**
 * The answer of what answers nothing else.
 *
 * @category constants
 */
export const ok: typeof Ok.Type = { ok: true }

const isPersonal = Symbol.for("@trailbook/core/personal")

/**
 * A field that says something of a guest: it is emptied in everything that is
 * kept once they are erased.
 *
 * @category combinators
 */
export const personal = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
  schema.annotations({ [isPersonal]: true })

/**
 * The same data with its personal fields emptied: texts are empty texts, lists are
 * empty, objects have no fields. All the rest stays as it is, and so does what is null.
 *
 * @category converting
 */
export const withoutPerson = ({ ast }: Schema.Schema.AnyNoContext, data: unknown): unknown => forgotten(ast, data)

const emptied = (data: unknown): unknown => {
  if (data === null || Array.isArray(data)) return data === null ? null : []
  return typeof data === "string" ? "" : {}
}

const forgotten = (ast: AST.AST, data: unknown): unknown => {
  if (ast.annotations[isPersonal] === true) return emptied(data)
  if (typeof data !== "object" || data === null) return data
  if (AST.isUnion(ast)) {
    // A field that may be null: what it is otherwise.
    const member = ast.types.find((type) => AST.isTupleType(type) === Array.isArray(data) && type._tag !== "Literal")
    return member === undefined ? data : forgotten(member, data)
  }
  if (AST.isTupleType(ast)) {
    const [rest] = ast.rest
    return rest === undefined || !Array.isArray(data) ? data : data.map((item) => forgotten(rest.type, item))
  }
  if (!AST.isTypeLiteral(ast)) return data
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = fields.get(name)
      return [name, field === undefined ? value : forgotten(field, value)]
    })
  )
}
