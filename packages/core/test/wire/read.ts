import type { StructSchema } from "@trailbook/core/operation/Operation"
import { toInvalidRequest } from "@trailbook/core/wire/decodeError"
import type { Field } from "@trailbook/core/wire/Field"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"

/** Returns the error message, or `undefined` if the value is valid. */
export const refusalOf = <A, I>(field: Field<A, I>, value: unknown): string | undefined =>
  Either.match(ParseResult.decodeUnknownEither(field)(value), {
    onLeft: (issue) => ParseResult.ArrayFormatter.formatIssueSync(issue)[0]?.message ?? "",
    onRight: () => undefined
  })

export const valueOf = <A, I>(field: Field<A, I>, value: unknown): A =>
  Either.getOrThrow(ParseResult.decodeUnknownEither(field)(value))

/** Decodes a request the same way the registry does. */
export const request = (input: StructSchema, json: unknown): Either.Either<Record<string, unknown>, string> =>
  Either.mapBoth(ParseResult.decodeUnknownEither(input, { onExcessProperty: "error" })(json), {
    onLeft: (issue) => {
      const { code, kind, message } = toInvalidRequest(new ParseResult.ParseError({ issue }))
      return kind === "invalid" && code === "invalid_request" ? message : `${kind} ${code}`
    },
    onRight: (value) => ({ ...value })
  })
