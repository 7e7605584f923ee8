import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import { lackOf } from "./lackOf.ts"

/**
 * Whether a unit of work that died after its work was done has certainly stored
 * nothing: the database refused one of its statements, or it lost to another
 * unit. Otherwise its commit may have happened and only the answer was lost. Core
 * knows no storage: it tells by the name of the defect.
 *
 * @category getters
 */
export const isUndone = (cause: Cause.Cause<unknown>): boolean =>
  lackOf(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))
