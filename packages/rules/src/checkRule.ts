import type { Storage } from "@trailbook/core/storage"
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
 * How many shorter scenarios to try before the shortest is reported. This number is large enough to reduce a scenario
 * to a few steps, and small enough to finish before test runners time out. The limit is a count rather than a time, so
 * that the same seed always gives the same report.
 */
const mostShorter = 200

/** The upper limit for seeds, which have 31 bits like the seeds of fast-check and `TestIds`. */
const seedLimit = 2 ** 31

/** Runs a law on generated scenarios, and rejects with the shortest scenario that breaks the law. */
export const checkRule = async (outfit: OfferingSetup, law: StoryLaw): Promise<void> => {
  const { broken } = await inHouse(outfit, (house) => tryOut(house, law, mostShorter))
  if (broken !== undefined) throw broken
}

/** Returns how many scenarios about one offering it took to break a law, or `undefined` if none did. */
export const maxScenarios = async (
  outfit: OfferingSetup,
  law: StoryLaw,
  focus: number
): Promise<number | undefined> => {
  const { broken, stories } = await inHouse(outfit, (house) => tryOut(house, law, 0, focus))
  return broken === undefined ? undefined : stories
}

/** Returns a setup's initial state as the API shows it. */
export const openWorld = (outfit: OfferingSetup): Promise<World> =>
  inHouse(outfit, (house) => Effect.flatMap(openSimulation(house, anyTime(outfit)), ({ world }) => world))

const anyTime = (outfit: OfferingSetup): Instant.Instant =>
  FastCheck.sample(startTimes(outfit), { numRuns: 1, seed: 0 })[0] ?? Instant.min

const inHouse = async <A>(
  outfit: OfferingSetup,
  work: (house: SimulatedServers) => Effect.Effect<A, never, Storage>
): Promise<A> => {
  const attempt = Effect.gen(function*() {
    const house = yield* open(outfit, Math.floor(Math.random() * seedLimit))
    // If the API rejects an offering here, the setup is wrong, not the scenario.
    yield* openSimulation(house, anyTime(outfit))
    return yield* work(house)
  })
  const exit = await Effect.runPromiseExit(
    Effect.scoped(attempt).pipe(Effect.provide(Layer.fresh(Layer.orDie(outfit.storage))))
  )
  // Throw the error itself, because test runners print it better than a fiber failure.
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value
}

interface ScenarioResult {
  readonly broken: LawBroken | undefined
  /** The number of scenarios that passed, plus the one that broke the law. */
  readonly stories: number
}

const tryOut = (
  house: SimulatedServers,
  law: StoryLaw,
  mostShorter: number,
  focus?: number
): Effect.Effect<ScenarioResult, never, Storage> =>
  Effect.gen(function*() {
    const runtime = yield* Effect.runtime<Storage>()
    const { runs = 50, seed } = house.outfit
    const runOnce = (scenario: Scenario) => Runtime.runPromise(runtime)(runScenario(house, law, scenario))
    // The last failing run has the shortest scenario.
    let failure: { readonly story: Scenario; readonly telling: ScenarioRun } | undefined
    let shorter = 0
    const keeps = async (scenario: Scenario): Promise<boolean> => {
      if (failure !== undefined && ++shorter > mostShorter) return true
      // A scenario in memory never yields to the event loop, which test runners need to communicate with their workers.
      await new Promise((resolve) => setTimeout(resolve, 0))
      const run = await runOnce(scenario)
      if (run.complaints.length === 0) return true
      failure = { story: scenario, telling: run }
      return false
    }
    const details = yield* Effect.promise(() =>
      FastCheck.check(FastCheck.asyncProperty(scenarioArbitrary(house.outfit, law.about, focus), keeps), {
        numRuns: runs,
        ...(mostShorter === 0 ? { endOnFailure: true } : {}),
        ...(seed === undefined ? {} : { seed })
      })
    )
    if (failure === undefined) return { broken: failure, stories: details.numRuns }
    const { story: shortest, telling: failedRun } = failure
    const rerun = mostShorter === 0 ? failedRun : yield* Effect.promise(() => runOnce(shortest))
    const scenario = rerun.complaints.length > 0
      ? failedRun
      : { ...failedRun, complaints: [flaky, ...failedRun.complaints] }
    return { broken: new LawBroken(law, scenario, details.seed), stories: details.numRuns }
  })

const flaky = "Flaky: the same story passes when it is repeated. The result depends on something else, such as " +
  "randomness, a clock, or earlier calls."
