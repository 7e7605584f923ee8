/**
 * Defines the types of request fields. Each type has limits, an error message, and a JSON schema.
 *
 * Every field is a single schema leaf that parses a complete JSON value and returns the domain value or an error
 * message. An error therefore has the form `name: must be 1 to 120 characters long` at any depth.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { parseCurrency } from "../money/Currency.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as LocalTime from "../time/LocalTime.ts"
import * as Zone from "../time/Zone.ts"
import { hasWebAddress, parseEmailAddress } from "./addresses.ts"
import { defaultPageSize, maxPageSize } from "./Cursor.ts"

/** A field that parses JSON of type `I` to a domain value of type `A`. */
export type Field<A, I = A> = Schema.Schema<A, I>

class FieldProblem {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}
const makeProblem = (sentence: string) => new FieldProblem(sentence)

const makeField = <A, I = A>(jsonSchema: object, readValue: (value: unknown) => A | FieldProblem): Field<A, I> =>
  Schema.declare(
    [],
    {
      decode: () => (value, _options, ast): Either.Either<A, ParseResult.ParseIssue> => {
        const result = readValue(value)
        return result instanceof FieldProblem
          ? Either.left(new ParseResult.Type(ast, value, result.sentence))
          : Either.right(result)
      },
      // Fields only parse requests; views build the responses.
      encode: () => (value, _options, ast): Either.Either<I, ParseResult.ParseIssue> =>
        Either.left(new ParseResult.Forbidden(ast, value, "Input fields cannot be encoded."))
    },
    { jsonSchema }
  )

/** Some storage adapters and JSON parsers reject NUL and unpaired surrogates. */
const isUnstorable = (text: string): boolean => text.includes("\0") || !text.isWellFormed()

const countCodePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const readText = (value: unknown): string | FieldProblem => {
  if (typeof value !== "string") return makeProblem("must be text")
  if (isUnstorable(value)) return makeProblem("must not contain NUL or an unpaired surrogate")
  return value.trim()
}

/** A text field that is trimmed and then converted by `parse`. */
const makeTrimmedField = <A>(
  jsonSchema: object,
  parse: (text: string) => A | undefined,
  sentence: string
): Field<A, string> =>
  makeField<A, string>(jsonSchema, (value) => {
    const text = readText(value)
    return text instanceof FieldProblem ? text : parse(text) ?? makeProblem(sentence)
  })

/** A text field that is converted by `parse` without trimming. */
const makeParsedField = <A>(
  jsonSchema: object,
  parse: (text: string) => A | undefined,
  sentence: string
): Field<A, string> =>
  makeField<A, string>(
    jsonSchema,
    (value) => (typeof value === "string" ? parse(value) : undefined) ?? makeProblem(sentence)
  )

interface Bounds {
  readonly min?: number
  readonly max: number
}

/** Trimmed text whose length is measured in code points. `min: 1` rejects blank text. */
export const text = (bounds: Bounds): Field<string> => makeBoundedText(bounds, (text) => text)

const makeBoundedText = (bounds: Bounds, check: (text: string) => string | FieldProblem): Field<string> => {
  const min = bounds.min ?? 0
  const sentence = min === 0
    ? `must be at most ${bounds.max} characters long`
    : `must be ${min} to ${bounds.max} characters long`
  return makeField({ type: "string", ...(min > 0 ? { minLength: min } : {}), maxLength: bounds.max }, (value) => {
    const text = readText(value)
    if (text instanceof FieldProblem) return text
    // Text with more than 2 × `max` UTF-16 units is always too long.
    const length = text.length > 2 * bounds.max ? Infinity : countCodePoints(text)
    return length < min || length > bounds.max ? makeProblem(sentence) : check(text)
  })
}

/** A person's name, entered by a visitor. It must not contain a web address. */
export const visitorName = (max: number): Field<string> =>
  makeBoundedText({ min: 1, max }, (name) => hasWebAddress(name) ? makeProblem("must not contain a web address") : name)

/** A JSON integer within bounds, both inclusive. */
export const integer = (minimum: number, maximum: number): Field<number> =>
  makeField(
    { type: "integer", minimum, maximum },
    (value) =>
      typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum
        ? value + 0 // -0 becomes 0
        : makeProblem(`must be a whole number from ${minimum} to ${maximum}`)
  )

/** A JSON number within bounds, both inclusive. */
export const number = (minimum: number, maximum: number): Field<number> =>
  makeField(
    { type: "number", minimum, maximum },
    (value) =>
      typeof value === "number" && value >= minimum && value <= maximum
        ? value + 0
        : makeProblem(`must be a number from ${minimum} to ${maximum}`)
  )

export const boolean: Field<boolean> = makeField(
  { type: "boolean" },
  (value) => typeof value === "boolean" ? value : makeProblem("must be true or false")
)

export const oneOf = <const Values extends ReadonlyArray<string>>(...values: Values): Field<Values[number]> =>
  makeField(
    { type: "string", enum: values },
    (value) => values.find((option) => option === value) ?? makeProblem(`must be one of ${values.join(", ")}`)
  )

/** A UUID of any version, converted to lowercase. */
export const uuid: Field<string> = makeParsedField(
  { type: "string", format: "uuid" },
  (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  "must be a UUID"
)

/** An ID that the outfitter chooses. */
export const shortId: Field<string> = makeParsedField(
  { type: "string", pattern: "^[a-z0-9][a-z0-9_-]{0,39}$" },
  (text) => /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? text : undefined,
  "must be 1 to 40 lowercase letters, digits, hyphens, and underscores, and start with a letter or digit"
)

/** An ISO 8601 instant with `Z` or an offset. */
export const instant: Field<Instant.Instant, string> = makeParsedField(
  { type: "string", format: "date-time" },
  Instant.parse,
  "must be an ISO 8601 instant with Z or an offset, such as 2027-05-01T15:00:00Z, with a year from 1970 to 9999"
)

/** A calendar date, `YYYY-MM-DD`, local to the org. */
export const localDate: Field<LocalDate.LocalDate, string> = makeParsedField(
  { type: "string", format: "date" },
  LocalDate.parse,
  "must be a valid date in the format YYYY-MM-DD, with a year from 1970 to 9999"
)

/** A wall time: `HH:MM`, `HH:MM:SS`, or exactly `24:00`. */
export const localTime: Field<LocalTime.LocalTime, string> = makeParsedField(
  { type: "string", pattern: "^(([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?|24:00(:00)?)$" },
  LocalTime.parse,
  "must be a time from 00:00 to 24:00, in the format HH:MM or HH:MM:SS"
)

/** An IANA time zone name that the runtime supports. */
export const timeZone: Field<string> = makeTrimmedField(
  { type: "string", minLength: 1, maxLength: 64 },
  (text) => Zone.find(text)?.name,
  "must be an IANA time zone name of at most 64 characters, such as America/Denver"
)

/** An ISO 4217 code, converted to lowercase. */
export const currency: Field<string> = makeParsedField(
  { type: "string", pattern: "^[A-Za-z]{3}$" },
  parseCurrency,
  "must be a three-letter ISO 4217 code, such as usd"
)

/** An email address, trimmed and converted to lowercase, at most 254 characters. */
export const email: Field<string> = makeTrimmedField(
  { type: "string", format: "email", maxLength: 254 },
  parseEmailAddress,
  "must be one email address of at most 254 characters"
)

/** A discount code, trimmed and converted to uppercase. */
export const discountCode: Field<string> = makeTrimmedField(
  { type: "string", pattern: "^\\s*[A-Za-z0-9_-]{1,40}\\s*$" },
  (text) => /^[A-Za-z0-9_-]{1,40}$/.test(text) ? text.toUpperCase() : undefined,
  "must be 1 to 40 letters from A to Z, digits, hyphens, and underscores"
)

/** An https URL of at most 2,000 characters. */
export const httpsUrl: Field<string> = makeTrimmedField(
  { type: "string", format: "uri", maxLength: 2000 },
  (text) => /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(text) && countCodePoints(text) <= 2000 ? text : undefined,
  "must be an https URL of at most 2000 characters"
)

/** A color as `#rrggbb`, converted to lowercase. */
export const color: Field<string> = makeTrimmedField(
  { type: "string", pattern: "^#[0-9A-Fa-f]{6}$" },
  (text) => /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined,
  "must be a hex color, such as #1f5f46"
)

/**
 * A webhook URL: http or https, at most 2,000 characters, without a user or fragment. The sender checks which addresses
 * are allowed.
 */
export const endpointUrl: Field<string> = makeTrimmedField(
  { type: "string", format: "uri", maxLength: 2000 },
  (text) => /^https?:\/\/[^\s/?#@\\]+([/?][^\s#]*)?$/i.test(text) && countCodePoints(text) <= 2000 ? text : undefined,
  "must be an https URL of at most 2000 characters, without a username or a fragment"
)

/**
 * Returns the problem with JSON that some callers could not read back: unsupported text, a number that JSON cannot
 * represent, or too many levels.
 */
const findJsonProblem = (value: unknown, levels: number): string | undefined => {
  if (typeof value === "string") {
    return isUnstorable(value)
      ? "must not contain NUL or an unpaired surrogate"
      : undefined
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "must contain only finite numbers"
  if (typeof value !== "object" || value === null) return undefined
  if (levels === 0) return `must be at most ${metadataLevels} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    const sentence = findJsonProblem(key, levels) ?? findJsonProblem(inner, levels - 1)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

const metadataLevels = 8

/** A free-form JSON object with at most `maxBytes` bytes of JSON and 8 levels. */
export const metadataUpTo = (maxBytes: number): Field<Metadata> =>
  makeField({ type: "object", additionalProperties: true }, (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return makeProblem("must be a JSON object")
    const sentence = findJsonProblem(value, metadataLevels)
    if (sentence !== undefined) return makeProblem(sentence)
    return new TextEncoder().encode(JSON.stringify(value)).length > maxBytes
      ? makeProblem(`must be at most ${maxBytes} bytes of JSON`)
      : value as Metadata
  })

/** A free-form JSON object with at most 16 KiB of JSON and 8 levels. */
export const metadata: Field<Metadata> = metadataUpTo(16 * 1024)

export type Metadata = { readonly [key: string]: unknown }

/** A field that also accepts `null`. */
export const nullable = <A, I>(inner: Field<A, I>): Field<A | null, I | null> => {
  const decode = ParseResult.decodeUnknownEither(inner)
  const { type, enum: values, ...rest } = toJsonSchema(inner)
  const jsonSchema = { ...rest, type: [type, "null"], ...(values === undefined ? {} : { enum: [...values, null] }) }
  return makeField<A | null, I | null>(jsonSchema, (value) => {
    if (value === null) return null
    const result = decode(value)
    return result._tag === "Right" ? result.right : makeProblem(`${toSentence(result.left)}, or null`)
  })
}

/** Text or `null`. Empty text is converted to `null`. */
export const clearable = (inner: Field<string>): Field<string | null> => {
  const withNull = nullable(inner)
  const decode = ParseResult.decodeUnknownEither(withNull)
  const { format: _format, pattern, ...rest }: FieldSchema & { readonly pattern?: unknown } = toJsonSchema(withNull)
  const jsonSchema = typeof pattern === "string" ? { ...rest, pattern: `${pattern}|^\\s*$` } : rest
  return makeField<string | null>(jsonSchema, (value) => {
    if (typeof value === "string" && value.trim() === "") return null
    const result = decode(value)
    return result._tag === "Right" ? result.right : makeProblem(toSentence(result.left))
  })
}

/** A list of at most `max` items. */
export const list = <A, I>(item: Schema.Schema<A, I>, max: number): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> =>
  Schema.Array(item).annotations({ message: () => "must be a list" }).pipe(
    Schema.maxItems(max, { message: () => `must have at most ${max} items` })
  )

/** A list of one to `max` items. */
export const nonEmptyList = <A, I>(
  item: Schema.Schema<A, I>,
  max: number
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> =>
  list(item, max).pipe(Schema.minItems(1, { message: () => `must have 1 to ${max} items` }))

/** A nested object in a request. */
export const object = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations({ message: () => "must be a JSON object" })

/**
 * An optional field. `null` is invalid and does not count as a missing field. The default appears in the description
 * and in the schema.
 */
export const optional = <A, I>(inner: Schema.Schema<A, I>, defaultValue?: I) =>
  Schema.optionalWith(
    defaultValue === undefined
      ? inner
      : withDetails(inner, `${getDescription(inner)}; default: ${String(defaultValue)}`, { default: defaultValue }),
    { exact: true }
  )

/**
 * Adds a short description and an example to a field. Both appear in the API description, the assistant tools, the
 * client types, and the reference.
 */
export const withDescription = <A, I>(
  description: string,
  inner: Schema.Schema<A, I>,
  example?: A
): Schema.Schema<A, I> =>
  example === undefined
    ? withDetails(inner, description)
    : withDetails(inner, description, { examples: [example] }).annotations({ examples: [example] })

/** An {@link optional} field with a description. */
export const describedOptional = <A, I>(description: string, inner: Schema.Schema<A, I>, defaultValue?: I) =>
  optional(withDescription(description, inner), defaultValue)

const withDetails = <A, I>(inner: Schema.Schema<A, I>, description: string, extra: object = {}): Schema.Schema<A, I> =>
  inner.annotations({
    // Effect sets its own title and description on filters. If the title equals the description, the description was
    // set here.
    title: description,
    description,
    ...(hasJsonSchema(inner) ? { jsonSchema: { ...toJsonSchema(inner), description, ...extra } } : {})
  })

/** Returns whether Effect outputs only the schema's JSON schema annotation. */
const hasJsonSchema = ({ ast }: Schema.Schema.Any): boolean => Option.isSome(AST.getJSONSchemaAnnotation(ast))

/** An input field that takes its description from an output field. */
export const sameAs = <A, I>(output: Schema.Schema.Any, inner: Schema.Schema<A, I>): Schema.Schema<A, I> =>
  withDescription(getDescription(output) ?? "", inner)

/** Returns the description that was set by `withDescription`. */
export const getDescription = (schema: Schema.Schema.Any): string | undefined => {
  if (hasJsonSchema(schema)) return toJsonSchema(schema).description
  const title = Option.getOrUndefined(AST.getTitleAnnotation(schema.ast))
  const description = Option.getOrUndefined(AST.getDescriptionAnnotation(schema.ast))
  return title === description ? description : undefined
}

interface FieldSchema {
  readonly type?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly description?: string
}

/** Returns the JSON schema for a field. */
export const toJsonSchema = (schema: Schema.Schema.Any): FieldSchema =>
  schema.ast.annotations[Symbol.for("effect/annotation/JSONSchema")] ?? {}

const toSentence = (issue: ParseResult.ParseIssue): string =>
  ParseResult.ArrayFormatter.formatIssueSync(issue)[0]?.message ?? "is invalid"

/** The parameters of a page: the page size and the cursor. */
export const paging = {
  limit: describedOptional("page size", integer(1, maxPageSize), defaultPageSize),
  cursor: describedOptional("next_cursor from the previous page", text({ min: 1, max: 500 }))
}

/** The idempotency key for a request that creates a resource. */
export const idempotencyKey = describedOptional("a new UUID per request, or the same UUID to retry", uuid)
