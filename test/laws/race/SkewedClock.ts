import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Creates a clock that is offset from another clock. Sleeps use the other clock. */
export const makeSkewedClock = (clock: Clock.Clock, skewMs: () => number): Clock.Clock => {
  const unsafeCurrentTimeMillis = () => clock.unsafeCurrentTimeMillis() + skewMs()
  return {
    ...clock,
    unsafeCurrentTimeMillis,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis)
  }
}
