/**
 * Parses query strings. Operations declare JSON types, but a query contains only text, so each value is converted to
 * its field's type. If the conversion fails, the value remains text, and the field reports the error.
 */
import { invalid, type Refusal, shownText } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/** Parses the part after the `?` into request fields. */
export type Query = (text: string) => Effect.Effect<Record<string, unknown>, Refusal<"invalid_request">>

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

export const make = (input: Operation.Any["input"]): Query => {
  const fields = new Map<PropertyKey, Parser>(
    AST.isTypeLiteral(input.ast) ? input.ast.propertySignatures.map(({ name, type }) => [name, readerOf(type)]) : []
  )
  return (text) => {
    // Without a prototype, `__proto__` is an ordinary name.
    const query: Record<string, unknown> = Object.create(null)
    for (const pair of text.split("&")) {
      if (pair === "") continue
      const equals = pair.indexOf("=")
      const name = decode(equals === -1 ? pair : pair.slice(0, equals))
      const value = decode(equals === -1 ? "" : pair.slice(equals + 1))
      if (name === undefined || value === undefined) return undecodable()
      if (name in query) return invalid(`${shownText(name)}: appears more than once`)
      query[name] = (fields.get(name) ?? asText)(value)
    }
    return Effect.succeed(query)
  }
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

const undecodable = () => invalid("The query string is not valid percent-encoded UTF-8.")
