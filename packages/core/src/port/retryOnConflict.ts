import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Runs a unit of work again, twice at most, that died: of two that add one unique
 * key at the same moment one loses it, and when it tries again it sees what won.
 * A refusal is an answer. A database that cannot work is not asked again: whoever
 * waits would wait for it as many times.
 *
 * @category running
 */
export const retryOnConflict = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.unsandbox(
    Effect.retry(Effect.sandbox(work), {
      times: 2,
      while: (cause) => Cause.isDie(cause) && unavailableReason(cause) === undefined
    })
  )
