import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * A clock that shows so many milliseconds more than another one, or fewer. Sleeps
 * are those of the other.
 */
export const makeSkewedClock = (clock: Clock.Clock, skewMs: () => number): Clock.Clock => {
  const unsafeCurrentTimeMillis = () => clock.unsafeCurrentTimeMillis() + skewMs()
  return {
    ...clock,
    unsafeCurrentTimeMillis,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis)
  }
}
