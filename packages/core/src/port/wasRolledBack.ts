import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"
import { unavailableReason } from "./unavailableReason.ts"

/**
 * Returns whether a transaction that died is certain to have stored nothing. This is the case if the database rejected
 * a statement, or if the transaction lost a conflict. Otherwise, the commit may have succeeded without a response. Core
 * does not import a storage adapter, so it checks the defect's tag.
 */
export const wasRolledBack = (cause: Cause.Cause<unknown>): boolean =>
  unavailableReason(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))
