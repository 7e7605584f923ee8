/**
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import * as Exit from "effect/Exit"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import * as RateLimit from "./RateLimit.ts"

/**
 * Who asks, once their key was looked at, and whether they may ask again
 * already. It comes before anything else is read, so 401 wins over every other
 * refusal.
 *
 * @since 0.1.0
 * @category constructors
 */
export const authenticate = (limit: RateLimit.RateLimit, clock: Clock.Clock) =>
(
  exchange: Exchange,
  verified: Exit.Exit<ApiKey, Refusal>
): Exit.Exit<Actor["Type"], Refusal | Failure> => {
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
