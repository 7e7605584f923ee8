import * as Effect from "effect/Effect"
import { type Complaints, everyStep, type StoryLaw } from "./Law.ts"
import type { Rule } from "./OfferingSetup.ts"
import type { World } from "./World.ts"

/**
 * Converts an outfitter's rule to a law. The rule is checked twice in every state, because a nondeterministic rule
 * would pass or fail by chance.
 */
export const ruleLaw = (rule: Rule): StoryLaw =>
  everyStep(
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

const complaintsOf = ({ check }: Rule, world: World): Complaints => {
  try {
    const answer: unknown = check(world)
    if (answer instanceof Promise) return [promiseComplaint(answer)]
    return answer === false ? ["The rule does not hold."] : []
  } catch (thrown) {
    // A test library's assertion error describes the problem best, including its location.
    return [thrown instanceof Error ? thrown : String(thrown)]
  }
}

/** Rejects async rules. The result of such a rule would not be awaited, so the rule would always pass. */
const promiseComplaint = (answer: Promise<unknown>): string => {
  answer.catch(() => {})
  return "The rule returns a promise. It must return its result synchronously."
}
