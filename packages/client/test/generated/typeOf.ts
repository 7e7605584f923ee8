/**
 * Converts a JSON schema to a TypeScript type. Throws for an unknown keyword, so that the generator fails before a
 * user's program does.
 */
import type { JsonSchema } from "./jsonSchema.ts"

/** Writers may pass `undefined` for an optional field. Readers never receive it. */
export type Direction = "input" | "output"

export const typeOf = (schema: JsonSchema, direction: Direction, indent: string): string => {
  const { $ref, anyOf, enum: values, items, properties, type } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1)
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, direction, indent)).join(" | ")
  if (values !== undefined) {
    return union(values.map((value) => JSON.stringify(value)), Array.isArray(type) && type.includes("null"))
  }
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, direction, indent)).join(" | ")
  switch (type) {
    case undefined:
      return "unknown"
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return type
    case "array":
      return `ReadonlyArray<${typeOf(items ?? {}, direction, indent)}>`
    case "object":
      return properties === undefined
        ? "Readonly<Record<string, unknown>>"
        : `{\n${fieldsOf(schema, direction, `${indent}  `)}\n${indent}}`
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`)
  }
}

export const fieldsOf = (
  { properties = {}, required = [] }: JsonSchema,
  direction: Direction,
  indent: string
): string =>
  Object.entries(properties).map(([name, schema]) => {
    const optional = !required.includes(name)
    const mark = optional ? "?" : ""
    // Inputs accept `undefined` for optional fields under every compiler setting. Outputs never contain it.
    const orNone = optional && direction === "input" ? " | undefined" : ""
    const sentences = [sentence(schema.description), ...(direction === "input" ? [boundsOf(schema)] : [])]
    const comment = commentOf(sentences.filter((text) => text !== undefined).join(" "), indent)
    const type = typeOf(schema, direction, indent)
    // The formatter indents a list of objects inside a union, and an object inside a nullable union.
    const isLong = orNone !== "" && type.startsWith(schema.anyOf === undefined ? "ReadonlyArray<{\n" : "{\n")
    const union = `${type}${orNone}`
    // The formatter wraps a long union of literals.
    const isWide = !type.includes("\n") && `${indent}readonly ${name}${mark}: ${union}`.length > 120
    const [, listed] = isWide ? /^ReadonlyArray<(.+)>$/.exec(union) ?? [] : []
    const typeText = listed !== undefined
      ? ` ReadonlyArray<${listed.split(" | ").map((one) => `\n${indent}  | ${one}`).join("")}\n${indent}>`
      : isWide
      ? union.split(" | ").map((one) => `\n${indent}  | ${one}`).join("")
      : isLong
      ? [...(schema.anyOf ?? [schema]).map((one) => typeOf(one, direction, `${indent}  `)), "undefined"]
        .map((one) => `\n${indent}  | ${one}`).join("")
      : ` ${union}`
    return `${comment}${indent}readonly ${name}${mark}:${typeText}`
  }).join("\n")

/** A named type. It can extend another type. */
export const model = (name: string, fields: string, base?: string): string =>
  `export interface ${name}${base === undefined ? "" : ` extends ${base}`} {\n${fields}\n}\n`

export type Schemas = Readonly<Record<string, JsonSchema>>

/** The types of all schemas. A type that has all fields of one of the bases extends it. */
export const models = (schemas: Schemas, direction: Direction, bases: Schemas = schemas): ReadonlyArray<string> =>
  Object.entries(schemas).map(([name, schema]) => {
    const own = fieldSchemas(schema)
    const [base, inherited] = Object.entries(bases).map(([name, schema]) => [name, fieldSchemas(schema)] as const)
      .filter(([, fields]) => fields.size < own.size && [...fields].every(([field, text]) => own.get(field) === text))
      .reduce<readonly [string | undefined, ReadonlyMap<string, string>]>(
        (most, one) => one[1].size > most[1].size ? one : most,
        [undefined, new Map()]
      )
    const rest = Object.entries(schema.properties ?? {}).filter(([field]) => !inherited.has(field))
    return model(name, fieldsOf({ ...schema, properties: Object.fromEntries(rest) }, direction, "  "), base)
  })

/** Each field's schema by name. */
const fieldSchemas = ({ properties = {}, required = [] }: JsonSchema): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(properties).map(([name, schema]) => [name, JSON.stringify([schema, required.includes(name)])])
  )

const sentence = (words: string | undefined): string | undefined =>
  words === undefined ? undefined : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** Wraps paragraphs in a comment at the line width. */
export const commentOf = (text: string, indent: string): string => {
  const lines = text.split("\n").flatMap((paragraph) => folded(paragraph, 110 - indent.length))
  if (text === "") return ""
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

const folded = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? ""
    if (last === "") lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const union = (values: ReadonlyArray<string>, orNull: boolean): string =>
  [...values, ...(orNull && !values.includes("null") ? ["null"] : [])].join(" | ")

const formats: Readonly<Record<string, string>> = {
  "date-time": "An ISO 8601 instant with Z or an offset.",
  date: "A local date, YYYY-MM-DD.",
  email: "One email address.",
  uri: "An https URL."
}

/** Constraints that TypeScript cannot express. */
const boundsOf = (
  { format, maxItems, maxLength, maximum, minLength, minimum, type }: JsonSchema
): string | undefined => {
  if (format !== undefined) return formats[format]
  if (maxItems !== undefined) return `At most ${maxItems}.`
  if (maxLength !== undefined) {
    return minLength === undefined ? `At most ${maxLength} characters.` : `${minLength} to ${maxLength} characters.`
  }
  if (minimum === undefined || maximum === undefined) return undefined
  const whole = [type].flat().includes("integer") ? "A whole number" : "A number"
  return maximum === Number.MAX_SAFE_INTEGER
    ? `${whole}, ${minimum} or more.`
    : `${whole} from ${minimum} to ${maximum}.`
}
