/**
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import type { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import * as RateLimit from "./RateLimit.ts"

/**
 * Finds out who asks, by the bearer key (§5), and whether they may ask again
 * already. It comes before anything else is read, so 401 wins over every other
 * refusal.
 *
 * @since 0.1.0
 * @category constructors
 */
export const authenticate = (
  { verify }: ApiKeys["Type"],
  limit: RateLimit.RateLimit,
  clock: Clock.Clock
): (exchange: Exchange) => Effect.Effect<Actor["Type"], Refusal | Failure> => {
  const refuse = ({ connection }: Exchange, refusal: Refusal): Effect.Effect<never, Refusal | Failure> => {
    const standing = limit.failures?.take(connection.remoteAddress ?? "", clock.unsafeCurrentTimeMillis())
    return Effect.fail(standing?.allowed === false ? RateLimit.exceeded(standing) : refusal)
  }
  const admit = (exchange: Exchange, { id, orgId, scopes }: ApiKey): Effect.Effect<Actor["Type"], Failure> => {
    exchange.orgId = orgId
    exchange.standing = limit.keys?.take(id, clock.unsafeCurrentTimeMillis())
    return exchange.standing?.allowed === false
      ? Effect.fail(RateLimit.exceeded(exchange.standing))
      : Effect.succeed({ orgId, source: "api", scopes: new Set(scopes) })
  }
  return (exchange) =>
    Effect.matchEffect(verify(bearer(exchange.request.headers.get("authorization"))), {
      onFailure: (refusal) => refuse(exchange, refusal),
      onSuccess: (key) => admit(exchange, key)
    })
}

/** The key, or a text that is none. The scheme's case does not matter (RFC 9110). */
const bearer = (header: string | null): string =>
  header !== null && header.slice(0, 7).toLowerCase() === "bearer " ? header.slice(7).trim() : ""
