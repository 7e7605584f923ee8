/**
 * Combines a request's path, query, and body into the input for one operation. Operations do not depend on which part
 * of the request a field comes from.
 */
import { invalid, type Refusal, truncateText } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Body from "./body.ts"

/** Builds an operation's input. A path field that also appears in the query or body is rejected as unknown. */
export type InputReader = (
  request: Request,
  param: (name: string) => string | undefined,
  limits?: ReadOptions
) => Effect.Effect<Record<string, unknown>, Refusal>

export const make = (operation: Operation.Any): InputReader => {
  const names = listPathFields(operation)
  const otherNames = Object.keys(operation.input.fields).filter((name) => !names.includes(name))
  const readRest = hasBody(operation) ? makeReadBody(operation, otherNames) : makeReadQuery(operation)
  return (request, param, limits) => {
    const addPathFields = (fields: Body.Body) => {
      if (names.length === 0) return Effect.succeed(fields)
      // Check the names here, because the error must not suggest fields from the path.
      const unknown = Object.keys(fields).find((name) => !otherNames.includes(name))
      if (unknown !== undefined) return Body.refuseUnknownField(unknown, otherNames)
      const input: Record<string, unknown> = { ...fields }
      for (const name of names) input[name] = param(name)
      return Effect.succeed(input)
    }
    const body = readRest(request, limits)
    return body === emptyBody ? addPathFields({}) : Effect.flatMap(body, addPathFields)
  }
}

/** Whether an operation's fields are sent in the body rather than the query. */
export const hasBody = ({ method }: Pick<Operation.Any, "method">): boolean => method !== "GET" && method !== "DELETE"

/** Returns the names of the fields in the path. */
export const listPathFields = ({ path }: Pick<Operation.Any, "path">): ReadonlyArray<string> =>
  Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? "")

/** The callback for the body length, and the owners whose share of the memory budget the body counts against. */
export type ReadOptions = Pick<Body.Options, "onLength" | "owners">

type ReadFields = (request: Request, limits?: ReadOptions) => Effect.Effect<Body.Body, Refusal>

const makeReadQuery = ({ input, method }: Operation.Any): ReadFields => {
  const readQuery = makeQuery(input)
  return (request) => {
    if (Body.isPresent(request)) return invalid(`A ${method} request cannot have a body.`)
    const at = request.url.indexOf("?")
    return at === -1 ? emptyBody : readQuery(request.url.slice(at + 1))
  }
}

const makeReadBody = (
  { hints, input, maxBodyBytes: maxBytes }: Operation.Any,
  fields: ReadonlyArray<string>
): ReadFields => {
  const readQuery = makeQuery(input)
  const check = (text: string) => Body.checkFieldNames(text, fields)
  const readBody: ReadFields = (request, limits) => {
    const at = request.url.indexOf("?")
    if (at === -1) return Body.read(request, { check, maxBytes, ...limits })
    return Effect.flatMap(readQuery(request.url.slice(at + 1)), (query) => {
      const [name] = Object.keys(query)
      return name === undefined
        ? Body.read(request, { check, maxBytes, ...limits })
        : invalid(`${truncateText(name)}: is not a query parameter of this request. Send the fields in the body.`)
    })
  }
  const key = hints.idempotencyKey
  return key === undefined ? readBody : (request, limits) => {
    const header = request.headers.get("idempotency-key")
    const body = readBody(request, limits)
    return header === null ? body : Effect.flatMap(body, (body) => withKey(body, key, header))
  }
}

/**
 * Adds the idempotency key from the header to the body. The IETF draft requires quotes around the value, but most
 * callers omit them.
 */
const withKey = (body: Body.Body, name: string, header: string) => {
  const keyInBody = body[name]
  const key = header.length > 1 && header.startsWith("\"") && header.endsWith("\"") ? header.slice(1, -1) : header
  const isSame = keyInBody === undefined ||
    typeof keyInBody === "string" && keyInBody.toLowerCase() === key.toLowerCase()
  return isSame ? Effect.succeed({ ...body, [name]: key }) : invalid(`${name}: differs from the Idempotency-Key header`)
}

const emptyBody = Effect.succeed<Body.Body>({})

/**
 * Creates a parser for the query string after the `?`. Operations declare JSON types, but a query contains only text,
 * so each value is converted to its field's type. If the conversion fails, the value stays text, and the field reports
 * the error.
 */
const makeQuery = (input: Operation.Any["input"]) => {
  const fields = new Map<PropertyKey, Parser>(
    AST.isTypeLiteral(input.ast) ? input.ast.propertySignatures.map(({ name, type }) => [name, readerOf(type)]) : []
  )
  return (text: string): Effect.Effect<Record<string, unknown>, Refusal<"invalid_request">> => {
    // Without a prototype, `__proto__` is an ordinary name.
    const query: Record<string, unknown> = Object.create(null)
    for (const pair of text.split("&")) {
      if (pair === "") continue
      const equals = pair.indexOf("=")
      const name = decode(equals === -1 ? pair : pair.slice(0, equals))
      const value = decode(equals === -1 ? "" : pair.slice(equals + 1))
      if (name === undefined || value === undefined) return undecodable()
      if (name in query) return invalid(`${truncateText(name)}: appears more than once`)
      query[name] = (fields.get(name) ?? asText)(value)
    }
    return Effect.succeed(query)
  }
}

type Parser = (text: string) => unknown

const integer = /^-?(0|[1-9]\d*)$/
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const readers: Record<string, Parser> = {
  integer: (text) => integer.test(text) ? Number(text) : text,
  number: (text) => number.test(text) ? Number(text) : text,
  boolean: (text) => text === "true" ? true : text === "false" ? false : text
}
const asText: Parser = (text) => text

const readerOf = (field: AST.AST): Parser => readers[String(Field.toJsonSchema(Schema.make(field)).type)] ?? asText

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

const undecodable = () => invalid("The query string is not valid percent-encoded UTF-8.")
