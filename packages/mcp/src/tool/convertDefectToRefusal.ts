import { type Refusal, refuse, unavailable } from "@trailbook/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/**
 * Converts a defect to a refusal without details, and logs the defect with the operation name. The refusal reveals only
 * one cause: an unavailable database.
 */
export const convertDefectToRefusal =
  (op: string) => <A, R>(effect: Effect.Effect<A, Refusal, R>): Effect.Effect<A, Refusal, R> =>
    Effect.catchAllCause(effect, (cause) => {
      const refusal = Option.getOrUndefined(Cause.failureOption(cause))
      if (refusal !== undefined) return Effect.fail(refusal)
      if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
      // Check the tag, because this package does not import a storage adapter.
      const cannotAnswer = [...Cause.defects(cause)].some(Predicate.isTagged("DatabaseUnavailable"))
      const logDefect = Effect.annotateLogs(Effect.logError("Operation failed", cause), { op })
      return Effect.zipRight(logDefect, Effect.fail(cannotAnswer ? unavailable() : internal))
    })

const internal = refuse("internal", "Internal error. The server log has the details.")
