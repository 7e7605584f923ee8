import type * as Instant from "@trailbook/core/time/Instant"
import { makeClock } from "@trailbook/runtime/makeClock"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** A clock that the story sets before each event, so that seeded events get realistic times. */
export interface StoryClock extends Clock.Clock {
  readonly set: (instant: Instant.Instant) => Effect.Effect<void>
}

export const make = (start: Instant.Instant): StoryClock => {
  let now = start
  return {
    ...makeClock(() => now),
    set: (instant) =>
      Effect.sync(() => {
        now = instant
      })
  }
}
