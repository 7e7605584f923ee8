import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Returns whether a transaction that died has certainly stored nothing. This is the case if the database rejected a
 * statement, or if the transaction lost a conflict. Otherwise, the commit may have succeeded without a response. Core
 * imports no storage, so it checks the defect's tag.
 */
export const wasRolledBack = (cause: Cause.Cause<unknown>): boolean =>
  unavailableReason(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))
