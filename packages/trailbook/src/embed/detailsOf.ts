import { scopes, sources } from "@trailbook/core/actor/Actor"
import { plans } from "@trailbook/core/org/Org"
import type { Refusal } from "@trailbook/core/Refusal"
import { roles } from "@trailbook/core/staff/StaffMember"
import * as Field from "@trailbook/core/wire/Field"
import { refused } from "@trailbook/core/wire/Refused"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { asJson } from "./asJson.ts"

/**
 * Reads what an org is opened with, by the rules of `org.update`.
 *
 * @category parsing
 */
export const detailsOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof OrgDetails>, Refusal<"invalid_request">> => read(OrgDetails, given)

/**
 * Reads what a key is made with.
 *
 * @category parsing
 */
export const keyDetailsOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof KeyDetails>, Refusal<"invalid_request">> => read(KeyDetails, given)

/**
 * Reads what somebody of the staff is added with.
 *
 * @category parsing
 */
export const memberDetailsOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof MemberDetails>, Refusal<"invalid_request">> => read(MemberDetails, given)

/**
 * Reads who of the staff is meant.
 *
 * @category parsing
 */
export const memberKeyOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof MemberKey>, Refusal<"invalid_request">> => read(MemberKey, given)

/**
 * Reads where a part of a program acts and what it may do.
 *
 * @category parsing
 */
export const actorDetailsOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof ActorDetails>, Refusal<"invalid_request">> => read(ActorDetails, given)

/**
 * Reads the same of a sign-in, which has to say what may be done.
 *
 * @category parsing
 */
export const signInOf = (
  given: unknown
): Effect.Effect<Schema.Schema.Type<typeof SignIn>, Refusal<"invalid_request">> => read(SignIn, given)

const OrgDetails = Schema.Struct({
  name: Field.text({ min: 1, max: 80 }),
  timezone: Field.timeZone,
  currency: Field.optional(Field.currency),
  plan: Field.optional(Field.oneOf(...plans)),
  email: Field.optional(Field.email)
})

const KeyDetails = Schema.Struct({
  org: Field.optional(Field.text({ min: 1, max: 100 })),
  name: Field.text({ min: 1, max: 80 }),
  scopes: Field.optional(Field.someOf(Field.oneOf(...scopes), scopes.length)),
  expires_at: Field.optional(Field.instant),
  test: Field.optional(Field.boolean)
})

const org = Field.optional(Field.text({ min: 1, max: 100 }))
const MemberDetails = Schema.Struct({
  org,
  email: Field.email,
  name: Field.optional(Field.text({ max: 120 })),
  role: Field.optional(Field.oneOf(...roles)),
  notify: Field.optional(Field.boolean)
})
const MemberKey = Schema.Struct({ org, email: Field.email })

const source = Field.optional(Field.oneOf(...sources))
const someScopes = Field.list(Field.oneOf(...scopes), scopes.length)
const ActorDetails = Schema.Struct({ source, scopes: Field.optional(someScopes) })
const SignIn = Schema.Struct({
  source,
  scopes: someScopes,
  staff: Field.optional(
    Field.object({ email: Field.email, role: Field.oneOf(...roles), name: Field.optional(Field.text({ max: 120 })) })
  )
})

const read = <A, I>(schema: Schema.Schema<A, I>, given: unknown): Effect.Effect<A, Refusal<"invalid_request">> =>
  Effect.mapError(Schema.decodeUnknown(schema, { onExcessProperty: "error" })(asJson(given)), refused)
