import * as Context from "effect/Context"

/**
 * Whether the work at hand is inside of a unit of work that whatever it does has to
 * join. What others would do for it together with theirs, in a unit of their own, it
 * does itself then.
 *
 * @category references
 */
export class Joined extends Context.Reference<Joined>()("@trailbook/core/Joined", {
  defaultValue: (): boolean => false
}) {}
