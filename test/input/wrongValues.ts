/**
 * Generates JSON that a field's schema must reject, and JSON at its limits that it must accept. The values are JSON
 * text, because no JavaScript value serializes to `1e400` or to a lone surrogate.
 */
import type { FieldSchema } from "./fields.ts"

const listTypes = (schema: FieldSchema): ReadonlyArray<string> =>
  typeof schema.type === "string" ? [schema.type] : schema.type ?? []

const ofOtherType: Record<string, ReadonlyArray<string>> = {
  string: ["7", "true", "[]", "{}"],
  integer: ["\"7\"", "true", "[]", "{}", "1.5", "1e400", "-1e400", "1152921504606846976"],
  number: ["\"7\"", "true", "[]", "{}", "1e400"],
  boolean: ["\"true\"", "1", "0", "[]", "{}"],
  object: ["\"x\"", "7", "true", "[]"],
  fields: ["\"x\"", "7", "true", "[]"],
  list: ["\"x\"", "7", "true", "{}"]
}

const makeText = (length: number): string => JSON.stringify("x".repeat(length))

const makeWrongTexts = (schema: FieldSchema): ReadonlyArray<string> => [
  "\"\\u0000\"",
  "\"a\\u0000b\"",
  "\"\\ud800\"",
  "\"\\udc00x\"",
  ...(schema.maxLength === undefined ? [] : [makeText(schema.maxLength + 1)]),
  ...(schema.minLength === undefined ? [] : ["\"\"", "\"   \"", "\"\\n\\t\""]),
  ...(schema.enum === undefined ? [] : ["\"no such choice\"", "\"\""]),
  ...(schema.pattern === undefined
    ? []
    : ["\"~\"", "\"\""].filter((text) => !new RegExp(schema.pattern ?? "").test(JSON.parse(text)))),
  ...(schema.format === undefined ? [] : wrongOfFormat[schema.format] ?? [])
]

const wrongOfFormat: Record<string, ReadonlyArray<string>> = {
  uuid: ["\"\"", "\"not-a-uuid\"", "\"3f8e1f9a-6f2e-4f4b-9b1f-0d7a6f1b2c3\"", "\"3f8e1f9a6f2e4f4b9b1f0d7a6f1b2c3d\""],
  "date-time": [
    "\"\"",
    "\"tomorrow\"",
    "\"2027-05-01\"",
    "\"2027-05-01T15:00:00\"",
    "\"2027-05-01 15:00:00Z\"",
    "\"2027-02-29T15:00:00Z\"",
    "\"2027-05-01T24:00:00Z\"",
    "\"2027-05-01T15:00:60Z\"",
    "\"1969-12-31T23:59:59Z\"",
    "\"10000-01-01T00:00:00Z\""
  ],
  date: ["\"\"", "\"2027-02-29\"", "\"2027-13-01\"", "\"27-01-01\"", "\"2027-05-01T00:00:00Z\"", "\"1969-12-31\""],
  email: [
    "\"\"",
    "\"guest\"",
    "\"guest@\"",
    "\"@example.com\"",
    "\".guest@example.com\"",
    "\"a b@example.com\"",
    "\"a@example.com, b@example.com\"",
    `"${"a".repeat(250)}@example.com"`
  ],
  uri: ["\"http://example.com\"", "\"javascript:alert(1)\"", "\"example.com\""]
}

const wrongObjects = [
  "{\"a\":\"\\u0000\"}",
  "{\"\\ud800\":1}",
  "{\"a\":1e400}",
  "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}}",
  `{"a":${makeText(16 * 1024)}}`
]

export const wrongValues = (schema: FieldSchema): ReadonlyArray<string> => {
  const typeNames = listTypes(schema)
  const nullable = typeNames.includes("null")
  const type = typeNames.find((name) => name !== "null") ?? "string"
  const { maximum, minimum } = schema
  return [
    ...(nullable ? [] : ["null"]),
    ...ofOtherType[type] ?? [],
    ...(type === "string" ? makeWrongTexts(schema) : []),
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [String(maximum + 1)]),
    ...(type === "object" ? wrongObjects : [])
  ]
}

export const valuesAtBounds = (schema: FieldSchema): ReadonlyArray<string> => {
  const { enum: choices = [], format, maxLength, maximum, minLength = 0, minimum, pattern } = schema
  const isUnrestricted = format === undefined && pattern === undefined && choices.length === 0
  return [
    ...choices.map((choice) => JSON.stringify(choice)),
    ...(minimum === undefined ? [] : [String(minimum), String(minimum + 1)]),
    ...(maximum === undefined ? [] : [String(maximum), String(maximum - 1)]),
    ...(maxLength === undefined || !isUnrestricted
      ? []
      : [makeText(maxLength), makeText(Math.max(1, minLength)), JSON.stringify("🛶".repeat(maxLength))]),
    ...(listTypes(schema).includes("null") ? ["null"] : [])
  ]
}

const wrongNumbers = ["", "seven", "1.5", "1e400", "7 ", "0x10", "١"]

/** Returns invalid values for a query field, which is always text. */
export const wrongInQuery = (schema: FieldSchema): ReadonlyArray<string> => {
  const { maximum, minimum } = schema
  switch (listTypes(schema)[0]) {
    case "integer":
      return [
        ...wrongNumbers,
        ...(minimum === undefined ? [] : [String(minimum - 1)]),
        ...(maximum === undefined ? [] : [String(maximum + 1)])
      ]
    case "boolean":
      return ["", "yes", "1", "TRUE"]
    default:
      // A lone surrogate cannot be encoded in a query.
      return makeWrongTexts(schema).map((text): string => JSON.parse(text)).filter((text) => text.isWellFormed())
  }
}
