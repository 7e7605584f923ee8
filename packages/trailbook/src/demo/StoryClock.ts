import type * as Instant from "@trailbook/core/time/Instant"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * A clock that shows what it is set to: what is told under it has happened then.
 *
 * @category models
 */
export interface StoryClock extends Clock.Clock {
  readonly set: (instant: Instant.Instant) => Effect.Effect<void>
}

/**
 * @category constructors
 */
export const make = (start: Instant.Instant): StoryClock => {
  let now = start
  const nanos = (): bigint => BigInt(now) * 1_000_000n
  const real = Clock.make()
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    set: (instant) =>
      Effect.sync(() => {
        now = instant
      }),
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(nanos),
    // A busy database is waited for in real time.
    sleep: (duration) => real.sleep(duration)
  }
}
