import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Milliseconds by this machine's clock that only goes forward: for how long
 * something takes, never for when it happened.
 *
 * @category effects
 */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
