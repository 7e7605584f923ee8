import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"

/** The host application's clock. */
interface HostClock {
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number
}

/**
 * Creates the clock from the `clock` option. Without the option, it is the system clock, or the database's clock on
 * Postgres.
 */
export const makeClock = (clock: HostClock | (() => number) | undefined): Clock.Clock => {
  // Use the unmodified live clock, which the storage layer can replace with the database's clock.
  const real = Context.get(DefaultServices.liveServices, Clock.Clock)
  if (clock === undefined) return real
  const now = typeof clock === "function" ? clock : () => clock.now()
  const nanos = (): bigint => BigInt(Math.trunc(now())) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    // A host clock can return fractions of a millisecond, but instants are integers.
    unsafeCurrentTimeMillis: () => Math.trunc(now()),
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => Math.trunc(now())),
    currentTimeNanos: Effect.sync(nanos),
    // A host clock cannot wake sleeping fibers, so backoff for a busy database uses real time.
    sleep: (duration) => real.sleep(duration)
  }
}
