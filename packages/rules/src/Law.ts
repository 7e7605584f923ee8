import { offeringKinds } from "@trailbook/core/offering/Offering"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { OfferingInput, Rule } from "./OfferingSetup.ts"
import type { StepOutcome } from "./runStep.ts"
import type { Step } from "./Scenario.ts"
import type { Simulation } from "./Simulation.ts"
import type { World } from "./World.ts"

/** A scenario step as it was played. */
export interface ExecutedStep {
  readonly before: World
  readonly outcome: StepOutcome
  readonly after: World
}

/** Violations, as sentences or as errors with a message. Empty if the law holds. */
export type Violations = ReadonlyArray<string | Error>

/** A property of an outfitter's offerings that always holds. */
export interface ScenarioLaw {
  readonly name: string
  readonly title: string
  /** The kinds of offerings that the law applies to. */
  readonly kinds: ReadonlyArray<OfferingInput["kind"]>
  /** The steps that occur more often in the law's scenarios. */
  readonly about: ReadonlyArray<Step["_tag"]>
  readonly afterStep: (step: ExecutedStep, play: Simulation) => Effect.Effect<Violations>
  readonly atEnd: (play: Simulation) => Effect.Effect<Violations, never, Storage>
}

/** A law's description. By default, the law applies to all kinds of offerings and uses the usual mix of steps. */
type About = Pick<ScenarioLaw, "name" | "title"> & Partial<Pick<ScenarioLaw, "about" | "kinds">>

const defaults = {
  kinds: offeringKinds,
  about: [],
  afterStep: () => Effect.succeed([]),
  atEnd: () => Effect.succeed([])
}

/** Creates a law that is checked after every step. */
export const makeStepLaw = (law: About, afterStep: ScenarioLaw["afterStep"]): ScenarioLaw => ({
  ...defaults,
  ...law,
  afterStep
})

/** Creates a law that is checked at the end of a scenario. */
export const makeEndLaw = (law: About, atEnd: ScenarioLaw["atEnd"]): ScenarioLaw => ({ ...defaults, ...law, atEnd })

/** Summarizes a response in one word, for comparisons and messages. */
export const toResultCode = (answer: Either.Either<unknown, { readonly code: string }>): string =>
  Either.isRight(answer) ? "ok" : answer.left.code

/** Describes a response that differs from the expected one. */
export const compareResultCodes = (label: string, expected: string, actual: string): Violations =>
  expected === actual ? [] : [`${label}: expected ${expected}, got ${actual}.`]

/**
 * Converts an outfitter's rule to a law. The rule is checked twice in every state, because a nondeterministic rule
 * would otherwise pass or fail by chance.
 */
export const makeRuleLaw = (rule: Rule): ScenarioLaw =>
  makeStepLaw(
    { name: rule.name, title: rule.name },
    ({ after }) =>
      Effect.sync(() => {
        const first = complaintsOf(rule, after)
        const second = complaintsOf(rule, after)
        return (first.length === 0) === (second.length === 0) ? first : [unsteady, ...first, ...second]
      })
  )

const unsteady =
  "The rule is flaky: two evaluations of the same world gave different results. The rule must depend only on the world."

const complaintsOf = ({ check }: Rule, world: World): Violations => {
  try {
    const answer: unknown = check(world)
    if (answer instanceof Promise) return [promiseComplaint(answer)]
    return answer === false ? ["The rule does not hold."] : []
  } catch (thrown) {
    // A test library's assertion error describes the problem best, including its location.
    return [thrown instanceof Error ? thrown : String(thrown)]
  }
}

/** Rejects async rules. Their promises would not be awaited, so they would always pass. */
const promiseComplaint = (answer: Promise<unknown>): string => {
  answer.catch(() => {})
  return "The rule returns a promise. It must return its result synchronously."
}
