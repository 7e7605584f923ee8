import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Runtime from "effect/Runtime"
import type { LawConditions } from "./Law.ts"
import { CaseFailed } from "./LawFailed.ts"

/** The time limit for shrinking a failing case, so that the failure is reported even if the database is slow. */
const shrinkingMs = 15_000

/**
 * Checks a property of generated values. Dies with a `CaseFailed` that contains the smallest value for which `holds`
 * fails and the seed that reproduces it.
 */
export const forAll = <A, E, R>(
  { runs, seed, shrink }: Pick<LawConditions, "runs" | "seed" | "shrink">,
  arbitrary: FastCheck.Arbitrary<A>,
  holds: (value: A) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) =>
    Effect.promise(async () => {
      let smallest: { readonly value: A; readonly cause: unknown } | undefined
      const property = FastCheck.asyncProperty(arbitrary, async (value) => {
        const exit = await Runtime.runPromiseExit(runtime)(holds(value))
        if (Exit.isSuccess(exit)) return true
        // The thrown error describes the problem. The surrounding fiber failure adds nothing.
        smallest = { value, cause: Cause.squash(exit.cause) }
        return false
      })
      const details = await FastCheck.check(property, {
        numRuns: runs,
        // Without shrinking, set no time limit, because a slow machine must not run fewer cases.
        ...(shrink ? { interruptAfterTimeLimit: shrinkingMs } : { endOnFailure: true }),
        ...(seed === undefined ? {} : { seed })
      })
      // The last failing value is the smallest.
      if (smallest !== undefined) throw new CaseFailed(smallest.value, details.seed, smallest.cause)
      // A case could not be generated, or the run was interrupted before the first case finished.
      if (details.failed) throw new Error(FastCheck.defaultReportMessage(details) ?? "No case was tried.")
    }))
