import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Instant from "./Instant.ts"

/** The current time of Effect's `Clock`. All code reads the time from here. */
export const currentTime: Effect.Effect<Instant.Instant> = Effect.clockWith((clock) =>
  Effect.succeed(Instant.make(clock.unsafeCurrentTimeMillis()))
)

/** Milliseconds on this machine's monotonic clock. Use it for durations only. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
