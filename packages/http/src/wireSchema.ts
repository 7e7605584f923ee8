/**
 * Builds request schemas for clients. Fields in core only decode JSON into domain values. A client must also encode
 * JSON, as defined in the API description.
 */
import * as Field from "@trailbook/core/wire/Field"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

export type WireFields = Record<
  string,
  Schema.Schema.AnyNoContext | Schema.optionalWith<Schema.Schema.AnyNoContext, { readonly exact: true }>
>

/**
 * Converts fields so that each one encodes the same JSON that it decodes, with the same JSON Schema. Use `asText` for
 * paths and queries, which contain only text.
 */
export const wireFields = (
  input: Schema.Schema.AnyNoContext,
  names: ReadonlyArray<string>,
  asText: boolean
): WireFields =>
  Object.fromEntries(
    propertiesOf(input.ast).filter(({ name }) => names.includes(String(name))).map(({ isOptional, name, type }) => {
      const schema = wire(type, asText)
      return [name, isOptional ? Schema.optionalWith(schema, { exact: true }) : schema]
    })
  )

const propertiesOf = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> =>
  AST.isTypeLiteral(ast) ? ast.propertySignatures : []

const wire = (ast: AST.AST, asText: boolean): Schema.Schema.AnyNoContext => {
  const schema = bare(ast, asText)
  const words = Field.fieldDescription(Schema.make(ast))
  // A leaf's JSON Schema already contains its description.
  return words === undefined || AST.isDeclaration(ast) ? schema : Field.withDescription(words, schema)
}

const bare = (ast: AST.AST, asText: boolean): Schema.Schema.AnyNoContext => {
  if (AST.isRefinement(ast)) return wire(ast.from, asText)
  if (AST.isTupleType(ast)) return Schema.Array(Schema.Union(...ast.rest.map(({ type }) => wire(type, asText))))
  if (AST.isUnion(ast)) return Schema.Union(...ast.types.map((type) => wire(type, asText)))
  if (AST.isLiteral(ast)) return Schema.make(ast)
  if (AST.isTypeLiteral(ast)) {
    return Schema.Struct(wireFields(Schema.make(ast), ast.propertySignatures.map(({ name }) => String(name)), asText))
  }
  return leaf(Field.toJsonSchema(Schema.make(ast)), asText)
}

type JsonSchema = ReturnType<typeof Field.toJsonSchema>

const leaf = (jsonSchema: JsonSchema, asText: boolean): Schema.Schema.AnyNoContext => {
  const [type, ...otherTypes] = [jsonSchema.type].flat()
  const schema = valueOf(String(type), jsonSchema, asText)
  return (otherTypes.includes("null") ? Schema.NullOr(schema) : schema).annotations({ jsonSchema })
}

const valueOf = (type: string, { enum: values }: JsonSchema, asText: boolean): Schema.Schema.AnyNoContext => {
  const texts = values?.filter((value) => typeof value === "string")
  switch (type) {
    case "integer":
    case "number":
      return asText ? Schema.NumberFromString : Schema.Number
    case "boolean":
      return asText ? Schema.BooleanFromString : Schema.Boolean
    case "object":
      return Schema.Record({ key: Schema.String, value: Schema.Unknown })
    default:
      return texts === undefined ? Schema.String : Schema.Literal(...texts)
  }
}
