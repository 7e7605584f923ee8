import * as MemoryStorage from "@trailbook/memory/MemoryStorage"
import * as Effect from "effect/Effect"
import { brokenIn } from "./rules.ts"
import { type Season, season } from "./season.ts"

/** A season on a storage of its own, and what it breaks. */
export const play = (seed: number): Promise<Season> =>
  Effect.runPromise(Effect.provide(
    Effect.gen(function*() {
      const played = yield* season({ seed, days })
      return { ...played, broken: yield* brokenIn(played) }
    }),
    MemoryStorage.layer
  ))

/** Of a season. */
export const days = 200
