import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Retries a transaction after a defect, by default at most twice. If two transactions insert the same unique key, the
 * failed transaction is retried and finds the other's row. Refusals are not retried. A database outage is not retried
 * either, because the caller would wait three times as long.
 */
export const retryOnConflict = <A, E, R>(work: Effect.Effect<A, E, R>, times = 2): Effect.Effect<A, E, R> =>
  Effect.unsandbox(
    Effect.retry(Effect.sandbox(work), {
      times,
      while: (cause) => Cause.isDie(cause) && unavailableReason(cause) === undefined
    })
  )
