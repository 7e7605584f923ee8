/**
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { TrailbookOptions } from "./TrailbookOptions.ts"

/**
 * The host's clock for everything that asks what time it is.
 *
 * @since 0.1.0
 * @category converting
 */
export const clockOf = (clock: TrailbookOptions["clock"]): Clock.Clock => {
  const real = Clock.make()
  if (clock === undefined) return real
  const now = typeof clock === "function" ? clock : () => clock.now()
  const nanos = (): bigint => BigInt(Math.trunc(now())) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    // Instants are whole milliseconds.
    unsafeCurrentTimeMillis: () => Math.trunc(now()),
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => Math.trunc(now())),
    currentTimeNanos: Effect.sync(nanos),
    // A clock that only says what time it is wakes nobody up: a busy database is waited for in real time.
    sleep: (duration) => real.sleep(duration)
  }
}
