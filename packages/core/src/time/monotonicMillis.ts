import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds on this machine's monotonic clock. Use it for durations only. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
