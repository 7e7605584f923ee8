/**
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import * as RateLimit from "./RateLimit.ts"

/**
 * Whose a bearer token is. API keys are told by `ApiKeys`; another kind of token
 * is another function of this shape, told apart by its prefix.
 *
 * @since 0.1.0
 * @category models
 */
export type Verify = (token: string) => Effect.Effect<Credential, Refusal<"unauthorized">>

/**
 * What a good token says: what its use is counted under, for which org it acts,
 * and what it may do.
 *
 * @since 0.1.0
 * @category models
 */
export type Credential = Pick<ApiKey, "id" | "orgId" | "scopes">

/**
 * @since 0.1.0
 * @category models
 */
export type Authenticate = (
  exchange: Exchange,
  verified: Exit.Exit<Credential, Refusal>
) => Exit.Exit<Actor["Type"], Refusal | Failure>

/**
 * Who asks, once their key was looked at, and whether they may ask again
 * already. It comes before anything else is read, so 401 wins over every other
 * refusal.
 *
 * @since 0.1.0
 * @category constructors
 */
export const authenticate = (limit: RateLimit.RateLimit, clock: Clock.Clock): Authenticate => (exchange, verified) => {
  if (verified._tag === "Failure") {
    const standing = verified.cause._tag === "Fail"
      ? limit.failures?.take(exchange.connection.remoteAddress ?? "", clock.unsafeCurrentTimeMillis())
      : undefined
    return standing?.allowed === false ? Exit.fail(RateLimit.exceeded(standing)) : Exit.failCause(verified.cause)
  }
  const { id, orgId, scopes } = verified.value
  const standing = limit.keys?.take(id, clock.unsafeCurrentTimeMillis())
  exchange.orgId = orgId
  exchange.standing = standing
  return standing?.allowed === false
    ? Exit.fail(RateLimit.exceeded(standing))
    : Exit.succeed({ orgId, source: "api", scopes: new Set(scopes) })
}

/**
 * The key of an `Authorization` header (§5), or a text that is none. The
 * scheme's case does not matter (RFC 9110).
 *
 * @since 0.1.0
 * @category parsing
 */
export const bearer = (header: string | null): string =>
  header !== null && header.slice(0, 7).toLowerCase() === "bearer " ? header.slice(7).trim() : ""
