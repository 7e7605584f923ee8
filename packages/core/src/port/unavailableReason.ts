import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"

/**
 * Whether work failed because the database cannot work, or because somebody kept
 * what it wants. Core knows no storage: it tells by the name of the defect, as
 * `http` does.
 *
 * @category getters
 */
export const unavailableReason = (cause: Cause.Cause<unknown>): "database" | "place" | undefined => {
  const defect = [...Cause.defects(cause)].find(Predicate.isTagged("DatabaseUnavailable"))
  if (defect === undefined) return undefined
  return Predicate.hasProperty(defect, "contended") && defect.contended === true ? "place" : "database"
}
