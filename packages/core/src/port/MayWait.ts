import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Checks whether the caller may wait for another fiber. Dies if that fiber would wait for a transaction that the caller
 * is in. By default, that cannot happen.
 */
export class MayWait extends Context.Reference<MayWait>()("@trailbook/core/MayWait", {
  defaultValue: (): Effect.Effect<void> => Effect.void
}) {}
