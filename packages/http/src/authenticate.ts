/**
 * @since 0.1.0
 */
import type { Actor, Source } from "@trailbook/core/actor/Actor"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import * as RateLimit from "./RateLimit.ts"

/**
 * Who asks. For callers of the API their key says it; a host that mounts the
 * handler may have a sign-in of its own.
 *
 * @since 0.1.0
 * @category models
 */
export type Authorize = (request: Request) => Effect.Effect<Credential, Refusal<"unauthorized" | "unavailable">>

/**
 * What a good key or a sign-in says: what its use is counted under, for which org
 * it acts, and what it may do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Credential extends Pick<ApiKey, "id" | "orgId" | "scopes"> {
  /** Where it acts from; the API when nothing is said. A mount says it itself. */
  readonly source?: Source
}

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
  const { id, orgId, scopes, source = "api" } = verified.value
  const standing = limit.keys?.take(id, clock.unsafeCurrentTimeMillis())
  exchange.orgId = orgId
  exchange.standing = standing
  return standing?.allowed === false
    ? Exit.fail(RateLimit.exceeded(standing))
    : Exit.succeed({ orgId, source, scopes: new Set(scopes) })
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
