/**
 * Builds JSON Schemas that all clients accept. Some clients drop the entire list if one schema is invalid, and model
 * providers are stricter than the protocol. The root is therefore a plain object without composition, no schema has an
 * `$id`, and inputs are closed and contain no references.
 */
import type { StructSchema } from "@trailbook/core/operation/Operation"
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"

/** The schema of an object. */
export type ObjectSchema = {
  type: "object"
  properties: Record<string, JsonObject>
  required?: Array<string>
  additionalProperties?: boolean
  $defs?: Record<string, JsonObject>
}

export type JsonValue = string | number | boolean | null | Array<JsonValue> | JsonObject

export type JsonObject = { [key: string]: JsonValue }

/**
 * Builds the input schema. `overrides` changes field schemas for assistants. An override with a type replaces the
 * schema, and null omits the field.
 */
export const buildInputSchema = (
  input: StructSchema,
  overrides: Readonly<Record<string, JsonObject | null>> = {}
): ObjectSchema => {
  // Effect describes a struct without fields as any non-null value.
  if (Object.keys(input.fields).length === 0) return { type: "object", properties: {}, additionalProperties: false }
  const { properties, ...root } = toRootSchema(input, "strict")
  const entries = Object.entries(properties).filter(([name]) => overrides[name] !== null).map(([name, schema]) => {
    const { format, ...rest } = { ...(overrides[name]?.type === undefined ? schema : {}), ...overrides[name] }
    // An override with an empty format removes the format.
    return [name, format === undefined || format === "" ? rest : { ...rest, format }] as const
  })
  return { ...root, properties: Object.fromEntries(entries) }
}

/** Builds the output schema, which is open because an output can gain fields within a version. */
export const buildOutputSchema = (output: Schema.Schema.AnyNoContext): ObjectSchema => toRootSchema(output, "allow")

const definitionsPath = "#/$defs/"

const toRootSchema = (
  { ast }: Schema.Schema.AnyNoContext,
  additionalPropertiesStrategy: "allow" | "strict"
): ObjectSchema => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const jsonSchema = tidy(JSONSchema.fromAST(ast, {
    definitions,
    definitionPath: definitionsPath,
    target: "jsonSchema7",
    additionalPropertiesStrategy
  })) as { readonly $ref?: string }
  const entries = Object.entries(definitions).map(([name, schema]) => [name, tidy(schema) as JsonObject] as const)
  // A named schema is referenced even at the root, but the root must be an object schema.
  const rootEntry = entries.find(([name]) => jsonSchema.$ref === definitionsPath + name)
  const $defs = Object.fromEntries(entries.filter((entry) => entry !== rootEntry))
  const root = (rootEntry === undefined ? jsonSchema : rootEntry[1]) as ObjectSchema
  return Object.keys($defs).length === 0 ? root : { ...root, $defs }
}

/**
 * Removes titles and descriptions that come from Effect's filters, the `$id` that `Schema.Unknown` adds, an empty
 * `required`, and JSON Schema defaults. Keeps descriptions from `Field.withDescription`.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  // Merge a reference with the description next to it.
  if ("allOf" in value && Array.isArray(value.allOf) && value.allOf.length === 1) {
    const { allOf: [only], ...siblings } = value
    return tidy({ ...only, ...siblings })
  }
  const entries = Object.entries(value).filter(([key, inner]) => !isNoise(key, inner, value))
  return Object.fromEntries(entries.map(([key, inner]) => [key, tidy(inner)]))
}

const isNoise = (key: string, inner: unknown, parent: object): boolean => {
  switch (key) {
    case "$id":
      return typeof inner === "string"
    // If a property is named `title`, its value is a schema instead of text.
    case "title":
      return typeof inner === "string"
    // Remove maximum text lengths, which cost 300 tokens in total. Assistants rarely reach these limits, and the
    // operation checks them anyway.
    case "maxLength":
      return typeof inner === "number"
    case "description":
      return typeof inner === "string" && "title" in parent && typeof parent.title === "string" &&
        parent.title !== inner
    case "required":
      return Array.isArray(inner) && inner.length === 0
    case "additionalProperties":
      return inner === true && "properties" in parent
    default:
      return false
  }
}
