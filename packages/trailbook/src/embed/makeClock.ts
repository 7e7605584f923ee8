import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type { TrailbookOptions } from "./TrailbookOptions.ts"

/**
 * The host's clock for everything that asks what time it is; without one the
 * machine's, or on Postgres the database's.
 */
export const makeClock = (clock: TrailbookOptions["clock"]): Clock.Clock => {
  // The one that a program has which was given no other, so that the database may put its own in its place.
  const real = Context.get(DefaultServices.liveServices, Clock.Clock)
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
