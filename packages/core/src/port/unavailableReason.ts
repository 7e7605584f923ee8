import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"

/**
 * Returns `database` if work failed because the database is unavailable, and `place` if it failed because of a lock
 * conflict. Core imports no storage adapter, so the function checks the defect's tag, the same way the `http` package
 * does.
 */
export const unavailableReason = (cause: Cause.Cause<unknown>): "database" | "place" | undefined => {
  const defect = [...Cause.defects(cause)].find(Predicate.isTagged("DatabaseUnavailable"))
  if (defect === undefined) return undefined
  return Predicate.hasProperty(defect, "contended") && defect.contended === true ? "place" : "database"
}
