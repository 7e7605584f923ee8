import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Whether a transaction that died has certainly stored nothing: the database rejected a statement, or the transaction
 * lost a conflict. Otherwise the commit may have succeeded without a response. Core does not depend on a storage, so it
 * checks the tag of the defect.
 */
export const wasRolledBack = (cause: Cause.Cause<unknown>): boolean =>
  unavailableReason(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))
