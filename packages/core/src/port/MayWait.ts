import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Asked by a caller whose work another fiber is about to do: dies where that one
 * would wait for a unit of work, or a transaction of the program, that the caller is
 * in. Where a storage does not say otherwise, that cannot happen.
 *
 * @category references
 */
export class MayWait extends Context.Reference<MayWait>()("@trailbook/core/MayWait", {
  defaultValue: (): Effect.Effect<void> => Effect.void
}) {}
