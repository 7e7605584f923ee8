/**
 * A clock that moves only when it is set, forward or back. Unlike Effect's `TestClock`, it never waits for the event
 * loop, so a test can simulate years in a second. To run a program with this clock, use `Effect.withClock`.
 *
 * Guarantees:
 * - It shows the instant it was set to, regardless of real time.
 * - A sleeping fiber wakes up when the clock reaches the end of its sleep, not before. Fibers wake up in the order
 *   their sleeps end.
 * - Setting the clock back wakes no fiber, and an interrupted fiber is not woken.
 *
 * @example
 * import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
 * import * as Clock from "effect/Clock"
 * import * as Effect from "effect/Effect"
 *
 * Effect.gen(function*() {
 *   const clock = yield* SettableClock.make(start)
 *   yield* clock.advance(60_000)
 *   yield* Effect.withClock(Clock.currentTimeMillis, clock) // start + 60000
 * })
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface SettableClock extends Clock.Clock {
  /** Sets the time and wakes the fibers whose sleep has ended, in the order of their wake-up times. */
  readonly set: (moment: Instant.Instant) => Effect.Effect<void>
  /** Moves the clock by the given number of milliseconds. A negative number sets it back. */
  readonly advance: (ms: number) => Effect.Effect<void>
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

export const make = (start: Instant.Instant): Effect.Effect<SettableClock> =>
  Effect.sync(() => {
    let now = start
    let sleepers: ReadonlyArray<Sleeper> = []

    const set = (moment: Instant.Instant) =>
      Effect.sync(() => {
        now = moment
        const readySleepers = sleepers.filter(({ until }) => until <= now).sort((a, b) => a.until - b.until)
        sleepers = sleepers.filter(({ until }) => until > now)
        for (const { wake } of readySleepers) wake()
      })

    return {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => now,
      unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
      sleep: (duration) =>
        Effect.async((resume) => {
          const sleeper = { until: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
          if (sleeper.until <= now) return sleeper.wake()
          sleepers = [...sleepers, sleeper]
          return Effect.sync(() => {
            sleepers = sleepers.filter((other) => other !== sleeper)
          })
        }),
      set,
      advance: (ms) => Effect.suspend(() => set(Instant.make(now + ms)))
    }
  })
