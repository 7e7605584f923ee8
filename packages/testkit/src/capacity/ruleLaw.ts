/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { everyStep, type StoryLaw } from "./Law.ts"
import type { Rule } from "./Outfit.ts"

/**
 * An outfitter's own rule as a law.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ruleLaw = ({ check, name }: Rule): StoryLaw =>
  everyStep(
    { name, says: name, kinds: ["class", "appointment", "rental"], about: [] },
    ({ after }) =>
      Effect.sync(() => {
        try {
          const answer: unknown = check(after)
          if (answer instanceof Promise) return [later(answer)]
          return answer === false ? ["The rule does not hold."] : []
        } catch (thrown) {
          // An assertion of any test library says what is wrong better than we can.
          return [thrown instanceof Error ? thrown.message : String(thrown)]
        }
      })
  )

/** Nobody waits for what it says, so a rule like that would always hold. */
const later = (answer: Promise<unknown>): string => {
  answer.catch(() => {})
  return "The rule answers with a promise; it has to answer at once."
}
