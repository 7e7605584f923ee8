import * as Effect from "effect/Effect"
import * as Instant from "./Instant.ts"

/** The current time of Effect's `Clock`. All code reads the time from here. */
export const currentTime: Effect.Effect<Instant.Instant> = Effect.clockWith((clock) =>
  Effect.succeed(Instant.make(clock.unsafeCurrentTimeMillis()))
)
