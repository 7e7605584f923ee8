import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { Code, Grant, Token } from "./Grant.ts"

/**
 * Which applications an org has let in, and what they come in with. All of it refers to
 * its org, and codes and tokens to a grant of theirs; what does not is not stored, which
 * is a defect, and neither are two codes or two tokens of the service with one digest.
 * Codes and tokens are found before their org is known.
 *
 * @category ports
 */
export class GrantStore extends Context.Tag("@trailbook/core/GrantStore")<
  GrantStore,
  {
    /** Inserts the grant, or replaces the one with its id. */
    readonly put: (grant: Grant) => Effect.Effect<void>
    /** Finds a grant and keeps it from changing until the unit of work ends. */
    readonly lock: (key: Key) => Effect.Effect<Option.Option<Grant>>
    /** The org's grants, those that were withdrawn included, in the order of making. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Grant>>
    /** Whether some org has let this application in, and it still is. */
    readonly isApproved: (clientId: string) => Effect.Effect<boolean>
    /** Notes when a grant was used, and nothing else. */
    readonly touch: (key: Key, at: Instant) => Effect.Effect<void>
    /** Inserts the code, or replaces the one with its digest. */
    readonly putCode: (code: Code) => Effect.Effect<void>
    /** Finds a code and keeps it from changing until the unit of work ends. */
    readonly lockCode: (digest: string) => Effect.Effect<Option.Option<Code>>
    /** Inserts the token, or replaces the one with its digest. */
    readonly putToken: (token: Token) => Effect.Effect<void>
    /** Finds a token and keeps it from changing until the unit of work ends. */
    readonly lockToken: (digest: string) => Effect.Effect<Option.Option<Token>>
    /** A token with its grant, for a request. */
    readonly found: (digest: string) => Effect.Effect<Option.Option<{ readonly token: Token; readonly grant: Grant }>>
    /** Deletes the codes and tokens of a grant that ran out before this moment. */
    readonly removeOver: (key: Key, before: Instant) => Effect.Effect<void>
  }
>() {}

type Key = Pick<Grant, "orgId" | "id">
