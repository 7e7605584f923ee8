import * as Effect from "effect/Effect"
import * as Instant from "./Instant.ts"

/**
 * The moment, by Effect's `Clock`: the only place where time enters.
 *
 * @category effects
 */
export const currentTime: Effect.Effect<Instant.Instant> = Effect.clockWith((clock) =>
  Effect.succeed(Instant.make(clock.unsafeCurrentTimeMillis()))
)
