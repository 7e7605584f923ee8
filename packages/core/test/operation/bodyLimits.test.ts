import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { operations } from "../../src/layer.ts"
import * as Field from "../../src/wire/Field.ts"

interface DescribedField {
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly maxLength?: number
}

/** The size of a character outside the BMP with both surrogates escaped, as many JSON writers output it. */
const escapedBytes = "\\ud83d\\ude80".length

/** Returns the size of the largest metadata that the field accepts, with every character escaped. */
const largestMetadata = (ast: AST.AST): number => {
  const accepts = Schema.is(Schema.make(ast))
  const bytes = [16, 4].map((kib) => kib * 1024).find((bytes) => accepts({ a: "x".repeat(bytes - `{"a":""}`.length) }))
  return 3 * (bytes ?? Infinity)
}

/** Returns the maximum size in bytes of a valid value that is written as JSON with every character escaped. */
const largest = (ast: AST.AST): number => {
  if (AST.isRefinement(ast)) {
    const { maxItems } = AST.getJSONSchemaAnnotation(ast).pipe((annotation) =>
      annotation._tag === "Some" ? annotation.value as { readonly maxItems?: number } : {}
    )
    return AST.isTupleType(ast.from) ? (maxItems ?? Infinity) * (1 + itemOf(ast.from)) : largest(ast.from)
  }
  if (AST.isTypeLiteral(ast)) {
    return ast.propertySignatures.reduce((sum, { name, type }) => sum + String(name).length + 4 + largest(type), 2)
  }
  const jsonSchema = Field.toJsonSchema(Schema.make(ast)) as DescribedField
  const type = typeof jsonSchema.type === "string" ? jsonSchema.type : jsonSchema.type?.[0]
  if (jsonSchema.enum !== undefined) return Math.max(...jsonSchema.enum.map((value) => JSON.stringify(value).length))
  // Text without a maximum length is an ID, an instant, or a code: ASCII in a fixed format.
  if (type === "string") return jsonSchema.maxLength === undefined ? 64 : 2 + jsonSchema.maxLength * escapedBytes
  return type === "object" ? largestMetadata(ast) : 30
}

const itemOf = ({ rest }: AST.TupleType): number => Math.max(...rest.map(({ type }) => largest(type)))

describe("the body limit", () => {
  const withBody = operations.filter(({ method }) => method !== "GET" && method !== "DELETE")

  it.each(withBody.map((operation) => [operation.name, operation] as const))(
    "accepts the largest valid input of %s",
    (_, { input, maxBodyBytes }) => {
      expect(largest(input.ast)).toBeLessThanOrEqual(maxBodyBytes)
      expect([64 * 1024, 128 * 1024]).toContain(maxBodyBytes)
    }
  )
})
