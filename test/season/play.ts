import * as MemoryStorage from "@trailbook/memory"
import * as Effect from "effect/Effect"
import { brokenIn } from "./rules.ts"
import { type Season, season } from "./season.ts"

/** Plays a season on its own in-memory storage and checks the rules. */
export const play = (seed: number): Promise<Season> =>
  Effect.runPromise(Effect.provide(
    Effect.gen(function*() {
      const result = yield* season({ seed, days })
      return { ...result, broken: yield* brokenIn(result) }
    }),
    MemoryStorage.layer
  ))

/** The length of a season in days. */
export const days = 200
