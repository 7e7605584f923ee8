import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"

/** JSON schemas for one document; those with a name are gathered and referred to. */
export class Schemas {
  readonly #named: Record<string, JSONSchema.JsonSchema7> = {}

  get named(): Record<string, object> {
    return Object.fromEntries(Object.entries(this.#named).map(([name, schema]) => [name, tidy(schema) as object]))
  }

  /** What is answered. Fields may be added one day, so unknown ones are allowed. */
  answer(schema: Schema.Schema.AnyNoContext): object {
    return this.#of(schema, "allow")
  }

  /** What is asked. Unknown fields are refused. */
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
 * Effect's own filters come with a title like `maxItems(50)` and a description
 * that repeats the bound, and `Schema.Unknown` with an `$id`: noise to a reader.
 * What a field means stands in both alike (`Field.means`), and is kept once. That
 * an object may have more than its properties is what JSON Schema says by itself.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  // A reference with words of its own.
  if ("allOf" in value && Array.isArray(value.allOf) && value.allOf.length === 1) {
    const { allOf: [only], ...others } = value
    return tidy({ ...only, ...others })
  }
  const entries = Object.entries(value)
  // A property may be called title: then what stands there is a schema, not a text.
  const title = entries.find(([key, inner]) => key === "title" && typeof inner === "string")?.[1]
  const described = "description" in value && value.description === title
  const noise = new Set([
    "$id",
    ...(title === undefined ? [] : described ? ["title"] : ["title", "description"]),
    ...("properties" in value && "additionalProperties" in value && value.additionalProperties === true
      ? ["additionalProperties"]
      : [])
  ])
  return Object.fromEntries(entries.filter(([key]) => !noise.has(key)).map(([key, inner]) => [key, tidy(inner)]))
}
