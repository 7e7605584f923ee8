import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Whether a unit of work that died after its work was done has certainly stored
 * nothing: the database refused one of its statements, or it lost to another
 * unit. Otherwise its commit may have happened and only the answer was lost. Core
 * knows no storage: it tells by the name of the defect.
 *
 * @category getters
 */
export const wasRolledBack = (cause: Cause.Cause<unknown>): boolean =>
  unavailableReason(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))
