import { type Refusal, refuse, unavailable } from "@trailbook/core/Refusal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/**
 * Turns a defect into a refusal that tells the caller nothing; who keeps the log
 * finds it there, with the operation's name. A database that cannot answer now
 * is no defect to a caller.
 */
export const defectToRefusal =
  (op: string) => <A, R>(effect: Effect.Effect<A, Refusal, R>): Effect.Effect<A, Refusal, R> =>
    Effect.catchAllCause(effect, (cause) => {
      const refusal = Option.getOrUndefined(Cause.failureOption(cause))
      if (refusal !== undefined) return Effect.fail(refusal)
      if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
      // Storages are known by the name of their defect alone.
      const cannotAnswer = [...Cause.defects(cause)].some(Predicate.isTagged("DatabaseUnavailable"))
      const logged = Effect.annotateLogs(Effect.logError("An operation broke.", cause), { op })
      return Effect.zipRight(logged, Effect.fail(cannotAnswer ? unavailable() : internal))
    })

const internal = refuse("internal", "Internal error. The server log has the details.")
