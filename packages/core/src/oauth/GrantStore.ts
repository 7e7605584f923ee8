import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { Code, Grant, Token } from "./Grant.ts"

/**
 * Stores grants with their codes and tokens. Grants, codes, and tokens reference their org. Codes and tokens also
 * reference a grant in the org. Digests are unique across all orgs. A write that violates these rules fails as a
 * defect. Codes and tokens are looked up before the org is known.
 */
export class GrantStore extends Context.Tag("@trailbook/core/GrantStore")<
  GrantStore,
  {
    /** Inserts a grant, or replaces the grant with the same ID. */
    readonly put: (grant: Grant) => Effect.Effect<void>
    /** Finds a grant and locks it until the transaction ends. */
    readonly lock: (key: Key) => Effect.Effect<Option.Option<Grant>>
    /** Returns the org's grants, including revoked grants, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Grant>>
    /** Returns whether a client has an active grant in any org. */
    readonly isApproved: (clientId: string) => Effect.Effect<boolean>
    /** Updates only the time of the last use. */
    readonly touch: (key: Key, at: Instant) => Effect.Effect<void>
    /** Inserts a code, or replaces the code with the same digest. */
    readonly putCode: (code: Code) => Effect.Effect<void>
    /** Finds a code and locks it until the transaction ends. */
    readonly lockCode: (digest: string) => Effect.Effect<Option.Option<Code>>
    /** Inserts a token, or replaces the token with the same digest. */
    readonly putToken: (token: Token) => Effect.Effect<void>
    /** Finds a token and locks it until the transaction ends. */
    readonly lockToken: (digest: string) => Effect.Effect<Option.Option<Token>>
    /** Finds a token with its grant. */
    readonly found: (digest: string) => Effect.Effect<Option.Option<{ readonly token: Token; readonly grant: Grant }>>
    /** Deletes a grant's codes and tokens that expired before this time. */
    readonly removeOver: (key: Key, before: Instant) => Effect.Effect<void>
  }
>() {}

type Key = Pick<Grant, "orgId" | "id">
