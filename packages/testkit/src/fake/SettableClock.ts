/**
 * A clock that stands still until it is set, forward or back. Unlike Effect's
 * `TestClock` it never waits for the event loop, so years pass in a second. Run
 * a program by it with `Effect.withClock`.
 *
 * It promises that
 * - it shows the moment it was set to, however long that takes the machine;
 * - who sleeps wakes when the clock is set to the end of the sleep or later, and
 *   not before; of several the one whose sleep ends first wakes first;
 * - setting it back wakes nobody, and who gave up sleeping is not woken.
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
  /** Whoever sleeps until then, or until earlier, wakes up, the earliest first. */
  readonly set: (moment: Instant.Instant) => Effect.Effect<void>
  /** Sets it so many milliseconds later; earlier, if it is less than none. */
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
        const awake = sleepers.filter(({ until }) => until <= now).sort((a, b) => a.until - b.until)
        sleepers = sleepers.filter(({ until }) => until > now)
        for (const { wake } of awake) wake()
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
