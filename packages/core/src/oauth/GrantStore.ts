import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { Code, Grant, Token } from "./Grant.ts"

/**
 * Grants with their codes and tokens. All refer to their org, codes and tokens also to a grant of the org, and digests
 * are unique in the service. Storing one that breaks this is a defect. Codes and tokens are looked up before the org is
 * known.
 */
export class GrantStore extends Context.Tag("@trailbook/core/GrantStore")<
  GrantStore,
  {
    /** Inserts the grant, or replaces the one with its ID. */
    readonly put: (grant: Grant) => Effect.Effect<void>
    /** Finds and locks a grant until the transaction ends. */
    readonly lock: (key: Key) => Effect.Effect<Option.Option<Grant>>
    /** The org's grants, including revoked ones, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Grant>>
    /** Whether a client has a grant of any org that is not revoked. */
    readonly isApproved: (clientId: string) => Effect.Effect<boolean>
    /** Updates only the time of the last use. */
    readonly touch: (key: Key, at: Instant) => Effect.Effect<void>
    /** Inserts the code, or replaces the one with its digest. */
    readonly putCode: (code: Code) => Effect.Effect<void>
    /** Finds and locks a code until the transaction ends. */
    readonly lockCode: (digest: string) => Effect.Effect<Option.Option<Code>>
    /** Inserts the token, or replaces the one with its digest. */
    readonly putToken: (token: Token) => Effect.Effect<void>
    /** Finds and locks a token until the transaction ends. */
    readonly lockToken: (digest: string) => Effect.Effect<Option.Option<Token>>
    /** Finds a token with its grant. */
    readonly found: (digest: string) => Effect.Effect<Option.Option<{ readonly token: Token; readonly grant: Grant }>>
    /** Deletes the codes and tokens of a grant that expired before this time. */
    readonly removeOver: (key: Key, before: Instant) => Effect.Effect<void>
  }
>() {}

type Key = Pick<Grant, "orgId" | "id">
