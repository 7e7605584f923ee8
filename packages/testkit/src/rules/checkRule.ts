import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { StoryLaw } from "./Law.ts"
import { LawBroken } from "./LawBroken.ts"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { runScenario, type ScenarioRun } from "./runScenario.ts"
import { type Scenario, scenarioArbitrary } from "./Scenario.ts"
import { open, openSimulation, type SimulatedServers } from "./Simulation.ts"
import { startTimes } from "./startTimes.ts"
import type { World } from "./World.ts"

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
 */
export const checkRule = async (outfit: OfferingSetup, law: StoryLaw): Promise<void> => {
  const { broken } = await inHouse(outfit, (house) => tryOut(house, law, mostShorter))
  if (broken !== undefined) throw broken
}

/**
 * How many stories about one offering it took to break a law; `undefined` when
 * all of them kept it.
 */
export const maxScenarios = async (
  outfit: OfferingSetup,
  law: StoryLaw,
  focus: number
): Promise<number | undefined> => {
  const { broken, stories } = await inHouse(outfit, (house) => tryOut(house, law, 0, focus))
  return broken === undefined ? undefined : stories
}

/** An outfit as the API shows it before anything happens. */
export const openWorld = (outfit: OfferingSetup): Promise<World> =>
  inHouse(outfit, (house) => Effect.flatMap(openSimulation(house, anyTime(outfit)), ({ world }) => world))

const anyTime = (outfit: OfferingSetup): Instant.Instant =>
  FastCheck.sample(startTimes(outfit), { numRuns: 1, seed: 0 })[0] ?? Instant.min

const inHouse = async <A>(
  outfit: OfferingSetup,
  work: (house: SimulatedServers) => Effect.Effect<A, never, Storage>
): Promise<A> => {
  const tried = Effect.gen(function*() {
    const house = yield* open(outfit, Math.floor(Math.random() * seedLimit))
    // An offering that the API refuses is a mistake in the outfit and no story's fault.
    yield* openSimulation(house, anyTime(outfit))
    return yield* work(house)
  })
  const exit = await Effect.runPromiseExit(
    Effect.scoped(tried).pipe(Effect.provide(Layer.fresh(Layer.orDie(outfit.storage))))
  )
  // What a test runner prints is the error itself, not the fiber that failed with it.
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value
}

interface Tried {
  readonly broken: LawBroken | undefined
  /** Those that kept the law, and the first that broke it. */
  readonly stories: number
}

const tryOut = (
  house: SimulatedServers,
  law: StoryLaw,
  mostShorter: number,
  focus?: number
): Effect.Effect<Tried, never, Storage> =>
  Effect.gen(function*() {
    const runtime = yield* Effect.runtime<Storage>()
    const { runs = 50, seed } = house.outfit
    const telling = (told: Scenario) => Runtime.runPromise(runtime)(runScenario(house, law, told))
    // The last telling that broke the law is that of the shortest story.
    let broken: { readonly story: Scenario; readonly telling: ScenarioRun } | undefined
    let shorter = 0
    const keeps = async (told: Scenario): Promise<boolean> => {
      if (broken !== undefined && ++shorter > mostShorter) return true
      // A story over memory is told without a pause; test runners need one now and then to talk to their workers.
      await new Promise((resolve) => setTimeout(resolve, 0))
      const found = await telling(told)
      if (found.complaints.length === 0) return true
      broken = { story: told, telling: found }
      return false
    }
    const details = yield* Effect.promise(() =>
      FastCheck.check(FastCheck.asyncProperty(scenarioArbitrary(house.outfit, law.about, focus), keeps), {
        numRuns: runs,
        ...(mostShorter === 0 ? { endOnFailure: true } : {}),
        ...(seed === undefined ? {} : { seed })
      })
    )
    if (broken === undefined) return { broken, stories: details.numRuns }
    const { story: shortest, telling: found } = broken
    const again = mostShorter === 0 ? found : yield* Effect.promise(() => telling(shortest))
    const told = again.complaints.length > 0 ? found : { ...found, complaints: [flaky, ...found.complaints] }
    return { broken: new LawBroken(law, told, details.seed), stories: details.numRuns }
  })

const flaky =
  "Flaky: told a second time, the same story breaks nothing. Something besides the story decides, such as " +
  "chance, a clock, or what was asked before."
