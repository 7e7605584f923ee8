/** Runs a scenario to its end, or until a step breaks a law. */
import type { Storage } from "@trailbook/core/storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { ScenarioLaw, Violations } from "./Law.ts"
import { formatOutcomeLines } from "./reportLines.ts"
import { runStep, type ScenarioState } from "./runStep.ts"
import type { Scenario, Step } from "./Scenario.ts"
import { openSimulation, type SimulatedServers } from "./Simulation.ts"
import type { World } from "./World.ts"

export interface ScenarioRun {
  /** The steps, one or more lines each. */
  readonly steps: ReadonlyArray<ReadonlyArray<string>>
  readonly violations: Violations
  readonly initialWorld: World
  readonly finalWorld: World
}

export const runScenario = (
  house: SimulatedServers,
  law: ScenarioLaw,
  story: Scenario
): Effect.Effect<ScenarioRun, never, Storage> =>
  Effect.gen(function*() {
    const play = yield* openSimulation(house, story.startTime)
    const initialWorld = yield* play.world
    const memory: ScenarioState = { lastCreate: undefined, requests: 0 }
    const steps: Array<ReadonlyArray<string>> = []
    let world = initialWorld

    /** Returns the violations after one step. A service crash counts as a violation. */
    const next = (step: Step) =>
      Effect.gen(function*() {
        const outcome = yield* runStep(play, world, memory, step)
        if (outcome._tag === "Nothing") return []
        const before = world
        world = yield* play.world
        steps.push(formatOutcomeLines(outcome, world))
        return yield* law.afterStep({ before, outcome, after: world }, play)
      })
    const orBroken = <R>(work: Effect.Effect<Violations, never, R>): Effect.Effect<Violations, never, R> =>
      Effect.catchAllDefect(
        work,
        (defect) =>
          Effect.succeed([`The service failed with a defect: ${Cause.pretty(Cause.die(defect)).split("\n")[0]}`])
      )

    let violations: Violations = []
    for (const step of story.steps) {
      violations = yield* orBroken(next(step))
      if (violations.length > 0) return { steps, violations, initialWorld, finalWorld: world }
    }
    return { steps, violations: yield* orBroken(law.atEnd(play)), initialWorld, finalWorld: world }
  })
