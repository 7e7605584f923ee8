/** Describes JSON schemas in words. Throws on an unknown pattern, format, or type, so that no bound is lost. */
import { anchor, code, escapeHtml, link } from "./markdown.ts"

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
  "email": "email address",
  "uri": "address"
}

const patterns: ReadonlyArray<readonly [begins: string, words: string]> = [
  ["^(([01]", "wall time `HH:MM` or `HH:MM:SS`, or `24:00`"],
  ["^[A-Za-z]{3}$", "ISO 4217 code"],
  ["^#[0-9A-Fa-f]{6}", "color `#rrggbb`"],
  ["^[a-z0-9][a-z0-9_-]", "short ID"],
  ["^\\s*[A-Za-z0-9_-]", "discount code"]
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
      return formatStringType(schema)
    case "integer":
      return `whole number${formatRange(schema)}`
    case "number":
      return `number${formatRange(schema)}`
    case "boolean":
      return "`true` or `false`"
    case "null":
      return "null"
    case "array":
      return listOf(schema, schema.items === undefined ? "any JSON" : typeOf(schema.items))
    case "object":
      return schema.properties === undefined ? "JSON object" : "object"
    case undefined:
      return "any JSON"
    default:
      throw new Error(`There are no words for ${JSON.stringify(schema)}`)
  }
}

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

export const resource = (name: string): string => link(name, `#${anchor(name)}`)

const formatStringType = ({ format, maxLength, minLength, pattern }: JsonSchema): string => {
  const patternWords = pattern === undefined ? undefined : patterns.find(([begins]) => pattern.startsWith(begins))?.[1]
  if (pattern !== undefined && patternWords === undefined) {
    throw new Error(`There are no words for the pattern ${pattern}`)
  }
  const kind = patternWords ?? (format === undefined ? "text" : formats[format])
  if (kind === undefined) throw new Error(`There are no words for the format ${format}`)
  if (maxLength === undefined) return kind
  return (minLength ?? 0) > 0
    ? `${kind}, ${minLength} to ${maxLength} characters`
    : `${kind}, at most ${maxLength} characters`
}

const formatRange = ({ maximum, minimum }: JsonSchema): string => {
  if (minimum === undefined) return ""
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `, at least ${minimum}`
    : `, ${minimum} to ${maximum}`
}

const listOf = ({ maxItems, minItems }: JsonSchema, type: string): string => {
  const count = maxItems === undefined
    ? ""
    : minItems === undefined
    ? `at most ${maxItems} `
    : `${minItems} to ${maxItems} `
  if (type.startsWith("object")) return `list of ${count}${type.replace(/^object\b/, "objects")}`
  return count === "" ? `list of ${type}` : `list of ${count}items: ${type}`
}

export interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string
}

export type Components = Readonly<Record<string, JsonSchema>>

interface SharedFields {
  readonly name: string
  readonly fields: ReadonlyArray<string>
}

/** Returns the fields of a schema that a component also has, with the same type and meaning. */
const findSameFields = (schema: JsonSchema, component: JsonSchema): ReadonlyArray<string> =>
  Object.entries(schema.properties ?? {}).filter(([key, field]) => {
    const other = component.properties?.[key]
    return other !== undefined && typeOf(other) === typeOf(field) && other.description === field.description
  }).map(([key]) => key)

const countProperties = ({ properties = {} }: JsonSchema): number => Object.keys(properties).length

/**
 * Returns the component that shares the most fields with a schema, if it shares at least two. The smallest component
 * wins a tie.
 */
export const sharedWith = (schema: JsonSchema, components: Components): SharedFields | undefined =>
  Object.entries(components)
    .map(([name, component]) => ({ name, fields: findSameFields(schema, component), size: countProperties(component) }))
    .filter(({ fields }) => fields.length >= 2)
    .sort((a, b) => b.fields.length - a.fields.length || a.size - b.size)[0]

/**
 * Returns the component whose fields all appear in a schema, unless the schema has more than twice as many fields as
 * the component.
 */
export const baseOf = (schema: JsonSchema, components: Components): SharedFields | undefined => {
  const contained = Object.entries(components).filter(([, component]) => {
    const size = countProperties(component)
    return findSameFields(schema, component).length === size && countProperties(schema) <= 2 * size
  })
  return sharedWith(schema, Object.fromEntries(contained))
}

/** Returns the object in a field: the field itself, a list's items, or the alternative to null. */
const findInner = (schema: JsonSchema): JsonSchema | undefined =>
  [schema, schema.items, ...(schema.anyOf ?? [])].find((inner) => inner?.properties !== undefined)

const wrapType = (schema: JsonSchema, inner: JsonSchema, type: string): string => {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((option) => option === inner ? type : typeOf(option)).join(", or ")
  }
  return schema.type === "array" ? listOf(schema, type) : type
}

/**
 * Returns an object's fields as rows. The fields of nested objects follow with dotted names. If a nested object shares
 * fields with a component, those fields are not listed again, and the object's type names the component.
 */
export const fieldsOf = (
  { properties = {}, required = [] }: JsonSchema,
  components: Components = {},
  within = ""
): ReadonlyArray<Row> =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const name = within + key
    const inner = findInner(schema)
    const row = { name, required: required.includes(key), meaning: escapeHtml(schema.description ?? "") }
    if (inner === undefined) return [{ ...row, type: typeOf(schema) }]
    const shared = sharedWith(inner, components)
    const nested = `${name}${schema.type === "array" ? "[]" : ""}.`
    const rows = fieldsOf(inner, components, nested).filter((row) =>
      shared?.fields.includes(row.name.slice(nested.length)) !== true
    )
    return [{ ...row, type: wrapType(schema, inner, formatObjectType(inner, shared, components)) }, ...rows]
  })

const formatObjectType = (schema: JsonSchema, shared: SharedFields | undefined, components: Components): string => {
  if (shared === undefined) return typeOf(schema)
  const isSame = shared.fields.length === countProperties(schema) &&
    countProperties(components[shared.name] ?? {}) === countProperties(schema)
  return isSame
    ? resource(shared.name)
    : `object with ${shared.fields.map(code).join(", ")} of ${resource(shared.name)}`
}
