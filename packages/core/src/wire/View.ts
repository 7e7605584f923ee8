/**
 * Defines the building blocks for responses. Views are plain JSON, so their schemas describe and validate but do not
 * encode.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { withDescription } from "./Field.ts"

/** An instant, such as `2027-05-01T15:00:00.000Z`. */
export const Timestamp = Schema.String.annotations({
  examples: ["2027-05-01T15:00:00.000Z"],
  jsonSchema: { type: "string", format: "date-time" }
})

export const Id = Schema.String.annotations({ jsonSchema: { type: "string", format: "uuid" } })

/** The IDs that examples use. */
export const exampleIds = {
  org: "0197c0de-0000-7000-8000-000000000001",
  offering: "0197c0de-0000-7000-8000-000000000002",
  session: "0197c0de-0000-7000-8000-000000000003",
  customer: "0197c0de-0000-7000-8000-000000000004",
  booking: "0197c0de-0000-7000-8000-000000000005",
  webhook: "0197c0de-0000-7000-8000-000000000006",
  conversation: "0197c0de-0000-7000-8000-000000000007",
  message: "0197c0de-0000-7000-8000-000000000008",
  payment: "0197c0de-0000-7000-8000-00000000000d",
  savedReply: "0197c0de-0000-7000-8000-000000000009",
  attachment: "0197c0de-0000-7000-8000-00000000000a",
  photo: "0197c0de-0000-7000-8000-00000000000b",
  proposal: "0197c0de-0000-7000-8000-00000000000c",
  closure: "0197c0de-0000-7000-8000-00000000000d",
  discount: "0197c0de-0000-7000-8000-00000000000e"
} as const

export const Integer = Schema.Int.annotations({ jsonSchema: { type: "integer" } })

export const Decimal = Schema.Number.annotations({ jsonSchema: { type: "number" } })

/** A calendar date, local to the org. */
export const Date = Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } })

/** A free-form JSON object. */
export const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object", additionalProperties: true }
})

/** Any JSON value. */
export const Json = Schema.Unknown.annotations({ jsonSchema: {} })

/** An optional field with its description. If it has no value, the field is omitted rather than set to `undefined`. */
export const optionalField = <A, I>(description: string, schema: Schema.Schema<A, I>, example?: A) =>
  Schema.optionalWith(withDescription(description, schema, example), { exact: true })

/** The schema of a page: `{ data: [...] }`, with `next_cursor` if there are more pages. */
export const page = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    data: withDescription("the rows on this page", Schema.Array(item)),
    next_cursor: optionalField("the cursor value for the next request, present if there are more rows", Schema.String)
  })

export const Ok = Schema.Struct({ ok: withDescription("always true", Schema.Literal(true)) })

/** The response for operations without a result. */
export const ok: typeof Ok.Type = { ok: true }

/** The kind of guest data in a field. */
export type GuestDataMark = "personal" | "guestId" | "guestPage"

const markKey = Symbol.for("@trailbook/core/mark")

const withMark = (mark: GuestDataMark) => <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
  schema.annotations({ [markKey]: mark })

/** A field with a guest's personal data. Erasing the guest empties the field in all stored data. */
export const personal = withMark("personal")

/**
 * A field that identifies a guest. It survives an erasure. Callers without guest access do not get it, because the ID
 * would reveal that two bookings belong to the same guest.
 */
export const guestId = withMark("guestId")

/** A field whose value opens a guest's page, where the booking can be canceled without a key. */
export const guestPage = withMark("guestPage")

const schemaOfKey = Symbol.for("@trailbook/core/schemaOf")

/** A field whose schema depends on other fields in its object. That schema determines which fields are marked. */
export const dependsOn =
  (schemaOf: (of: Readonly<Record<string, unknown>>) => Schema.Schema.AnyNoContext | undefined) =>
  <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> => schema.annotations({ [schemaOfKey]: schemaOf })

/** The data to hide from a caller. */
export interface Redaction {
  /** Fields with any of these marks are emptied. */
  readonly marks: ReadonlySet<GuestDataMark>
  /** Rewrites all text that is not emptied. */
  readonly text?: (text: string) => string
}

/**
 * Creates a function that returns data without its hidden fields. Strings become empty, lists become empty, and objects
 * lose their fields. Null and all other values are kept.
 */
export const omitFields = (mask: Redaction) => ({ ast }: Schema.Schema.AnyNoContext, data: unknown): unknown =>
  omitHidden(mask, ast, data)

/** Returns the data with its personal fields emptied. */
export const redactPersonalFields = omitFields({ marks: new Set(["personal"]) })

const emptyValue = (data: unknown): unknown => {
  if (data === null || Array.isArray(data)) return data === null ? null : []
  return typeof data === "string" ? "" : {}
}

const omitHidden = (mask: Redaction, ast: AST.AST, data: unknown): unknown => {
  const mark = ast.annotations[markKey]
  if (mark !== undefined && mask.marks.has(mark as GuestDataMark)) return emptyValue(data)
  if (typeof data === "string") return mask.text === undefined ? data : mask.text(data)
  if (typeof data !== "object" || data === null) return data
  if (AST.isUnion(ast)) {
    // For a nullable field, use the non-null type.
    const member = ast.types.find((type) => AST.isTupleType(type) === Array.isArray(data) && type._tag !== "Literal")
    return omitHidden(mask, member ?? AST.unknownKeyword, data)
  }
  if (Array.isArray(data)) {
    const item = AST.isTupleType(ast) ? ast.rest[0]?.type : undefined
    return data.map((one) => omitHidden(mask, item ?? AST.unknownKeyword, one))
  }
  const fields = AST.isTypeLiteral(ast) ? getFields(ast) : noFields
  const record: Readonly<Record<string, unknown>> = { ...data }
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const field = fields.get(name) ?? AST.unknownKeyword
      const schemaOf = field.annotations[schemaOfKey] as Parameters<typeof dependsOn>[0] | undefined
      return [name, omitHidden(mask, schemaOf?.(record)?.ast ?? field, value)]
    })
  )
}

const noFields: ReadonlyMap<PropertyKey, AST.AST> = new Map()

/** Returns a schema's fields. The result is cached, because all rows in a list share one schema. */
const getFields = (ast: AST.TypeLiteral): ReadonlyMap<PropertyKey, AST.AST> => {
  const cachedFields = fieldsByAst.get(ast)
  if (cachedFields !== undefined) return cachedFields
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, type]))
  fieldsByAst.set(ast, fields)
  return fields
}

const fieldsByAst = new WeakMap<AST.TypeLiteral, ReadonlyMap<PropertyKey, AST.AST>>()

/**
 * Builds an example response from its fields' examples. Optional fields are omitted unless they have an example. Lists
 * have one item.
 */
export const makeExampleValue = ({ ast }: Schema.Schema.AnyNoContext): unknown => makeExample(ast, "")

const makeExample = (ast: AST.AST, path: string): unknown => {
  const ownExamples = Option.getOrUndefined(AST.getExamplesAnnotation(ast))
  if (ownExamples !== undefined) return ownExamples[0]
  switch (ast._tag) {
    case "TypeLiteral":
      return Object.fromEntries(
        ast.propertySignatures
          .filter(({ isOptional, type }) => !isOptional || Option.isSome(AST.getExamplesAnnotation(type)))
          .map(({ name, type }) => [name, makeExample(type, `${path}.${String(name)}`)])
      )
    case "TupleType":
      return ast.rest.slice(0, 1).map(({ type }) => makeExample(type, `${path}[]`))
    case "Union":
      return ast.types.some(isNull) ? null : makeExample(ast.types[0], path)
    case "Literal":
      return ast.literal
    case "BooleanKeyword":
      return true
    case "Refinement":
      return makeExample(ast.from, path)
    default:
      throw new Error(`${path} needs an example`)
  }
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null
