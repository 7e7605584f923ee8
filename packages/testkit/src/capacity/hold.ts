/**
 * @since 0.1.0
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { beginnings } from "./beginnings.ts"
import type { StoryLaw } from "./Law.ts"
import { LawBroken } from "./LawBroken.ts"
import type { Outfit } from "./Outfit.ts"
import { begin, type House, open } from "./Play.ts"
import { type Story, story } from "./Story.ts"
import { tell, type Telling } from "./tell.ts"

/**
 * How many shorter stories are tried before the shortest so far is reported:
 * enough to come down to a few steps, and not so many that a test runner loses
 * its patience. A count and not a time, so that a seed has one report.
 */
const mostShorter = 200

/** 31 bits, as seeds of fast-check and of `TestIds` are. */
const seedLimit = 2 ** 31

/**
 * Tries a law on stories of an outfit, and rejects with the shortest found that
 * breaks it.
 *
 * @since 0.1.0
 * @category running
 */
export const hold = async (outfit: Outfit, law: StoryLaw): Promise<void> => {
  const tried = Effect.gen(function*() {
    const house = yield* open(outfit, Math.floor(Math.random() * seedLimit))
    // An offering that the API refuses is a mistake in the outfit and no story's fault.
    const [anyTime = Instant.min] = FastCheck.sample(beginnings(outfit), { numRuns: 1, seed: 0 })
    yield* begin(house, anyTime)
    return yield* tryOut(house, law)
  })
  const exit = await Effect.runPromiseExit(
    Effect.scoped(tried).pipe(Effect.provide(Layer.fresh(Layer.orDie(outfit.storage))))
  )
  // What a test runner prints is the error itself, not the fiber that failed with it.
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  if (exit.value !== undefined) throw exit.value
}

const tryOut = (house: House, law: StoryLaw): Effect.Effect<LawBroken | undefined, never, Storage> =>
  Effect.gen(function*() {
    const runtime = yield* Effect.runtime<Storage>()
    const { runs = 50, seed } = house.outfit
    // The last telling that broke the law is that of the shortest story.
    let broken: Telling | undefined
    let shorter = 0
    const keeps = async (told: Story): Promise<boolean> => {
      if (broken !== undefined && ++shorter > mostShorter) return true
      // A story over memory is told without a pause; test runners need one now and then to talk to their workers.
      await new Promise((resolve) => setTimeout(resolve, 0))
      const telling = await Runtime.runPromise(runtime)(tell(house, law, told))
      if (telling.complaints.length === 0) return true
      broken = telling
      return false
    }
    const details = yield* Effect.promise(() =>
      FastCheck.check(FastCheck.asyncProperty(story(house.outfit, law.about), keeps), {
        numRuns: runs,
        ...(seed === undefined ? {} : { seed })
      })
    )
    return broken === undefined ? undefined : new LawBroken(law, broken, details.seed)
  })
