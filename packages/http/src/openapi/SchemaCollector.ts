import { makeExampleValue } from "@trailbook/core/wire"
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"

/** The JSON Schemas for one document. Named schemas are collected and referenced. */
export class SchemaCollector {
  readonly #named: Record<string, JSONSchema.JsonSchema7> = {}

  get named(): Record<string, object> {
    return Object.fromEntries(Object.entries(this.#named).map(([name, schema]) => [name, tidy(schema) as object]))
  }

  /** Returns a response schema, which allows unknown fields because later versions can add fields. */
  answer(schema: Schema.Schema.AnyNoContext): object {
    return this.#of(schema, "allow")
  }

  /** Returns the OpenAPI `content` of a JSON response, with an example. */
  content(schema: Schema.Schema.AnyNoContext): object {
    return { "application/json": { schema: this.answer(schema), example: makeExampleValue(schema) } }
  }

  /** Returns a request schema, which rejects unknown fields. */
  request(schema: Schema.Schema.AnyNoContext): RequestSchema {
    return this.#of(schema, "strict") as RequestSchema
  }

  #of({ ast }: Schema.Schema.AnyNoContext, additionalPropertiesStrategy: "allow" | "strict"): object {
    return tidy(JSONSchema.fromAST(ast, {
      definitions: this.#named,
      definitionPath: "#/components/schemas/",
      target: "openApi3.1",
      additionalPropertiesStrategy
    })) as object
  }
}

export interface RequestSchema {
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
}

/**
 * Removes titles such as `maxItems(50)` and descriptions that repeat a bound. Effect's filters add these titles and
 * descriptions. Also removes the `$id` that `Schema.Unknown` adds, and `additionalProperties: true`, which is the
 * default. `Field.withDescription` sets both the title and the description, so the title is removed.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  // Merge a reference with the description next to it.
  if ("allOf" in value && Array.isArray(value.allOf) && value.allOf.length === 1) {
    const { allOf: [only], ...siblings } = value
    return tidy({ ...only, ...siblings })
  }
  const entries = Object.entries(value)
  // The value of a property named `title` is a schema, not text.
  const title = entries.find(([key, inner]) => key === "title" && typeof inner === "string")?.[1]
  const isDescribed = "description" in value && value.description === title
  const noise = new Set([
    "$id",
    ...(title === undefined ? [] : isDescribed ? ["title"] : ["title", "description"]),
    ...("properties" in value && "additionalProperties" in value && value.additionalProperties === true
      ? ["additionalProperties"]
      : [])
  ])
  return Object.fromEntries(entries.filter(([key]) => !noise.has(key)).map(([key, inner]) => [key, tidy(inner)]))
}
