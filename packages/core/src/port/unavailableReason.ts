import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"

/**
 * Returns whether work failed because the database is unavailable or because of a lock conflict. Core imports no
 * storage, so it checks the defect's tag, as `http` does.
 */
export const unavailableReason = (cause: Cause.Cause<unknown>): "database" | "place" | undefined => {
  const defect = [...Cause.defects(cause)].find(Predicate.isTagged("DatabaseUnavailable"))
  if (defect === undefined) return undefined
  return Predicate.hasProperty(defect, "contended") && defect.contended === true ? "place" : "database"
}
