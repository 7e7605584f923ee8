import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/**
 * Retries a transaction after a defect, by default at most twice. If two transactions insert the same unique key, the
 * failed transaction is retried and finds the other transaction's row. Refusals are not retried. A database outage is
 * not retried either, because the caller would wait three times as long.
 */
export const retryOnConflict = <A, E, R>(work: Effect.Effect<A, E, R>, times = 2): Effect.Effect<A, E, R> =>
  Effect.unsandbox(
    Effect.retry(Effect.sandbox(work), {
      times,
      while: (cause) => Cause.isDie(cause) && classifyUnavailability(cause) === undefined
    })
  )

/**
 * Returns `database` if the work failed because the database is unavailable, and `place` if it failed because of a lock
 * conflict. Core imports no storage adapter, so the function checks the defect's tag, the same way the `http` package
 * does.
 */
export const classifyUnavailability = (cause: Cause.Cause<unknown>): "database" | "place" | undefined => {
  const defect = [...Cause.defects(cause)].find(Predicate.isTagged("DatabaseUnavailable"))
  if (defect === undefined) return undefined
  return Predicate.hasProperty(defect, "contended") && defect.contended === true ? "place" : "database"
}
