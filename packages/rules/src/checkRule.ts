import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { ScenarioLaw, Violations } from "./Law.ts"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { runStep, type ScenarioState } from "./runStep.ts"
import { type Scenario, scenarioArbitrary, startTimeArbitrary, type Step } from "./Scenario.ts"
import { formatOutcomeLines, ScenarioLawFailed, type ScenarioRun } from "./ScenarioLawFailed.ts"
import { openSimulation, type SimulatedServers, startServers } from "./Simulation.ts"
import type { World } from "./World.ts"

/**
 * How many shorter scenarios to try before the shortest is reported. This number is large enough to reduce a scenario
 * to a few steps, and small enough to finish before test runners time out. The limit is a count rather than a time, so
 * that the same seed always produces the same report.
 */
const maxShorterScenarios = 200

/** The upper limit for seeds, which have 31 bits like the seeds of fast-check and `TestIds`. */
const seedLimit = 2 ** 31

/** Runs a law on generated scenarios, and rejects with the shortest scenario that breaks it. */
export const checkRule = async (setup: OfferingSetup, law: ScenarioLaw): Promise<void> => {
  const { violation } = await withServers(setup, (servers) => runLaw(servers, law, maxShorterScenarios))
  if (violation !== undefined) throw violation
}

/** Returns how many scenarios about one offering it took to break a law, or `undefined` if none did. */
export const countScenariosToViolation = async (
  setup: OfferingSetup,
  law: ScenarioLaw,
  focus: number
): Promise<number | undefined> => {
  const { violation, scenarioCount } = await withServers(setup, (servers) => runLaw(servers, law, 0, focus))
  return violation === undefined ? undefined : scenarioCount
}

/** Returns a setup's initial state as the API shows it. */
export const loadInitialWorld = (setup: OfferingSetup): Promise<World> =>
  withServers(setup, (servers) => Effect.flatMap(openSimulation(servers, pickStartTime(setup)), ({ world }) => world))

const pickStartTime = (setup: OfferingSetup): Instant.Instant =>
  FastCheck.sample(startTimeArbitrary(setup), { numRuns: 1, seed: 0 })[0] ?? Instant.min

const withServers = async <A>(
  setup: OfferingSetup,
  work: (servers: SimulatedServers) => Effect.Effect<A, never, Storage>
): Promise<A> => {
  const attempt = Effect.gen(function*() {
    const servers = yield* startServers(setup, Math.floor(Math.random() * seedLimit))
    // If the API rejects an offering here, the setup is wrong, not the scenario.
    yield* openSimulation(servers, pickStartTime(setup))
    return yield* work(servers)
  })
  const exit = await Effect.runPromiseExit(
    Effect.scoped(attempt).pipe(Effect.provide(Layer.fresh(Layer.orDie(setup.storage))))
  )
  // Throw the error itself, because test runners print it better than a fiber failure.
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value
}

interface ScenarioResult {
  readonly violation: ScenarioLawFailed | undefined
  /** The number of scenarios that passed, plus the one that broke the law. */
  readonly scenarioCount: number
}

const runLaw = (
  servers: SimulatedServers,
  law: ScenarioLaw,
  maxShorter: number,
  focus?: number
): Effect.Effect<ScenarioResult, never, Storage> =>
  Effect.gen(function*() {
    const runtime = yield* Effect.runtime<Storage>()
    const { runs = 50, seed } = servers.setup
    const runOnce = (scenario: Scenario) => Runtime.runPromise(runtime)(runScenario(servers, law, scenario))
    // The last failing run has the shortest scenario.
    let failure: { readonly scenario: Scenario; readonly run: ScenarioRun } | undefined
    let shorterCount = 0
    const passesLaw = async (scenario: Scenario): Promise<boolean> => {
      if (failure !== undefined && ++shorterCount > maxShorter) return true
      // An in-memory scenario never yields to the event loop, which test runners need to communicate with their
      // workers.
      await new Promise((resolve) => setTimeout(resolve, 0))
      const run = await runOnce(scenario)
      if (run.violations.length === 0) return true
      failure = { scenario, run }
      return false
    }
    const details = yield* Effect.promise(() =>
      FastCheck.check(FastCheck.asyncProperty(scenarioArbitrary(servers.setup, law.about, focus), passesLaw), {
        numRuns: runs,
        ...(maxShorter === 0 ? { endOnFailure: true } : {}),
        ...(seed === undefined ? {} : { seed })
      })
    )
    if (failure === undefined) return { violation: failure, scenarioCount: details.numRuns }
    const { run: failedRun, scenario: shortest } = failure
    const rerun = maxShorter === 0 ? failedRun : yield* Effect.promise(() => runOnce(shortest))
    const reportedRun = rerun.violations.length > 0
      ? failedRun
      : { ...failedRun, violations: [flakyViolation, ...failedRun.violations] }
    return { violation: new ScenarioLawFailed(law, reportedRun, details.seed), scenarioCount: details.numRuns }
  })

const flakyViolation =
  "Flaky: the same story passes when it is repeated. The result depends on something else, such as " +
  "randomness, a clock, or earlier calls."

/** Runs a scenario to its end, or until a step breaks a law. */
const runScenario = (
  servers: SimulatedServers,
  law: ScenarioLaw,
  scenario: Scenario
): Effect.Effect<ScenarioRun, never, Storage> =>
  Effect.gen(function*() {
    const simulation = yield* openSimulation(servers, scenario.startTime)
    const initialWorld = yield* simulation.world
    const state: ScenarioState = { lastCreate: undefined, requests: 0 }
    const steps: Array<ReadonlyArray<string>> = []
    let world = initialWorld

    /** Returns the violations after one step. A service crash counts as a violation. */
    const next = (step: Step) =>
      Effect.gen(function*() {
        const outcome = yield* runStep(simulation, world, state, step)
        if (outcome._tag === "Nothing") return []
        const before = world
        world = yield* simulation.world
        steps.push(formatOutcomeLines(outcome, world))
        return yield* law.afterStep({ before, outcome, after: world }, simulation)
      })
    const orBroken = <R>(work: Effect.Effect<Violations, never, R>): Effect.Effect<Violations, never, R> =>
      Effect.catchAllDefect(
        work,
        (defect) =>
          Effect.succeed([`The service failed with a defect: ${Cause.pretty(Cause.die(defect)).split("\n")[0]}`])
      )

    let violations: Violations = []
    for (const step of scenario.steps) {
      violations = yield* orBroken(next(step))
      if (violations.length > 0) return { steps, violations, initialWorld, finalWorld: world }
    }
    return { steps, violations: yield* orBroken(law.atEnd(simulation)), initialWorld, finalWorld: world }
  })
