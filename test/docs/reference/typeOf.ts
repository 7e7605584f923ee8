/**
 * A JSON schema in words: what a field may hold, with its bounds. What it has no
 * words for it refuses, so that no bound is lost on the way.
 */
import { anchor, code, link, plain } from "./markdown.ts"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string | number | boolean | null>
  readonly const?: string | number | boolean
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean
}

const formats: Readonly<Record<string, string>> = {
  "uuid": "UUID",
  "date-time": "instant",
  "date": "local date `YYYY-MM-DD`",
  "email": "e-mail address",
  "uri": "address"
}

const patterns: ReadonlyArray<readonly [begins: string, words: string]> = [
  ["^(([01]", "wall time `HH:MM` or `HH:MM:SS`, or `24:00`"],
  ["^[a-z]{3}$", "ISO 4217 code in lowercase"],
  ["^#[0-9A-Fa-f]{6}", "color `#rrggbb`"]
]

export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return resource(nameOf(schema.$ref))
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(", or ")
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(", or ")
  if (schema.enum !== undefined && schema.type !== "null") {
    return schema.enum.filter((value) => value !== null).map((value) => code(String(value))).join(", ")
  }
  switch (schema.type) {
    case "string":
      return textOf(schema)
    case "integer":
      return `whole number${rangeOf(schema)}`
    case "number":
      return `number${rangeOf(schema)}`
    case "boolean":
      return "`true` or `false`"
    case "null":
      return "null"
    case "array":
      return `list${itemsOf(schema)} of ${schema.items === undefined ? "anything" : manyOf(schema.items)}`
    case "object":
      return schema.properties === undefined ? "JSON object" : "object"
    case undefined:
      return "any JSON"
    default:
      throw new Error(`There are no words for ${JSON.stringify(schema)}`)
  }
}

const manyOf = (schema: JsonSchema): string => schema.type === "object" ? "objects" : typeOf(schema)

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

export const resource = (name: string): string => link(name, `#${anchor(name)}`)

const textOf = ({ format, maxLength, minLength, pattern }: JsonSchema): string => {
  const known = pattern === undefined ? undefined : patterns.find(([begins]) => pattern.startsWith(begins))?.[1]
  if (pattern !== undefined && known === undefined) throw new Error(`There are no words for the pattern ${pattern}`)
  const kind = known ?? (format === undefined ? "text" : formats[format])
  if (kind === undefined) throw new Error(`There are no words for the format ${format}`)
  if (maxLength === undefined) return kind
  return (minLength ?? 0) > 0
    ? `${kind}, ${minLength} to ${maxLength} characters`
    : `${kind}, at most ${maxLength} characters`
}

const rangeOf = ({ maximum, minimum }: JsonSchema): string => {
  if (minimum === undefined) return ""
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `, at least ${minimum}`
    : `, ${minimum} to ${maximum}`
}

const itemsOf = ({ maxItems, minItems }: JsonSchema): string => {
  if (maxItems === undefined) return ""
  return minItems === undefined ? ` of at most ${maxItems}` : ` of ${minItems} to ${maxItems}`
}

interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** As it was declared with the field. */
  readonly meaning: string
}

/** The fields of an object as rows: name, type, whether it has to be there. Objects within come below, by dotted names. */
export const fieldsOf = (
  { properties = {}, required = [] }: JsonSchema,
  within = ""
): ReadonlyArray<Row> =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const name = within + key
    const inner = schema.type === "array" ? schema.items : schema
    return [
      { name, type: typeOf(schema), required: required.includes(key), meaning: plain(schema.description ?? "") },
      ...(inner?.properties === undefined ? [] : fieldsOf(inner, `${name}${schema.type === "array" ? "[]" : ""}.`))
    ]
  })
