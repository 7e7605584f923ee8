import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"

/** Runs all fibers until each one is waiting for the clock. */
export const settleFibers = Effect.forEach(Array.from({ length: 100 }), () => Effect.yieldNow(), { discard: true })

export const pass = (time: Duration.DurationInput) => Effect.zipRight(TestClock.adjust(time), settleFibers)
