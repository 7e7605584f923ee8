import type { Refusal } from "@trailbook/core"
import { scopes, sources } from "@trailbook/core/actor"
import { plans } from "@trailbook/core/org/Org"
import { staffRoles } from "@trailbook/core/staff"
import { toInvalidRequest } from "@trailbook/core/wire"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Returns a parser that validates input from the host application the same way as operation input. */
const parserOf =
  <A, I>(schema: Schema.Schema<A, I>) => (input: unknown): Effect.Effect<A, Refusal<"invalid_request">> =>
    Effect.mapError(Schema.decodeUnknown(schema, { onExcessProperty: "error" })(toJsonValue(input)), toInvalidRequest)

const org = Field.optional(Field.text({ min: 1, max: 100 }))
const source = Field.optional(Field.oneOf(...sources))
const someScopes = Field.list(Field.oneOf(...scopes), scopes.length)

/** Parses a new org's details with the rules for `org.update`. */
export const parseOrgDetails = parserOf(Schema.Struct({
  name: Field.text({ min: 1, max: 80 }),
  timezone: Field.timeZone,
  currency: Field.optional(Field.currency),
  plan: Field.optional(Field.oneOf(...plans)),
  email: Field.optional(Field.email)
}))

export const parseKeyDetails = parserOf(Schema.Struct({
  org,
  name: Field.text({ min: 1, max: 80 }),
  scopes: Field.optional(Field.nonEmptyList(Field.oneOf(...scopes), scopes.length)),
  expires_at: Field.optional(Field.instant),
  test: Field.optional(Field.boolean)
}))

export const parseStaffDetails = parserOf(Schema.Struct({
  org,
  email: Field.email,
  name: Field.optional(Field.text({ max: 120 })),
  role: Field.optional(Field.oneOf(...staffRoles)),
  notify: Field.optional(Field.boolean)
}))

export const parseMemberKey = parserOf(Schema.Struct({ org, email: Field.email }))

/** Parses an actor's source and scopes. */
export const parseActorDetails = parserOf(Schema.Struct({ source, scopes: Field.optional(someScopes) }))

/** Parses the result of `authorize`. Scopes are required here. */
export const parseAuthorizedCaller = parserOf(Schema.Struct({
  source,
  scopes: someScopes,
  staff: Field.optional(
    Field.object({
      email: Field.email,
      role: Field.oneOf(...staffRoles),
      name: Field.optional(Field.text({ max: 120 }))
    })
  )
}))

/**
 * Converts input to the form it would have over HTTP. Undefined fields are dropped, and a `Date` becomes an ISO
 * instant. The result is a copy, so later changes to the input do not affect it.
 */
export const toJsonValue = (input: unknown): unknown =>
  input === undefined ? {} : JSON.parse(JSON.stringify(input) ?? "null")
