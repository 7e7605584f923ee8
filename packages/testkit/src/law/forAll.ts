import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Runtime from "effect/Runtime"
import type { Conditions } from "./Law.ts"
import { CaseFailed } from "./LawFailed.ts"

/** A failing case is made smaller for at most this long; a slow database must still say what failed. */
const shrinkingMs = 15_000

/**
 * Tries a property of generated values. It dies with a `CaseFailed`: the smallest
 * value found for which `holds` does not succeed, and the seed that repeats it.
 */
export const forAll = <A, E, R>(
  { runs, seed, shrink }: Pick<Conditions, "runs" | "seed" | "shrink">,
  arbitrary: FastCheck.Arbitrary<A>,
  holds: (value: A) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) =>
    Effect.promise(async () => {
      let smallest: { readonly value: A; readonly cause: unknown } | undefined
      const property = FastCheck.asyncProperty(arbitrary, async (value) => {
        const exit = await Runtime.runPromiseExit(runtime)(holds(value))
        if (Exit.isSuccess(exit)) return true
        // What was thrown says what is wrong; the fiber that it failed says nothing more.
        smallest = { value, cause: Cause.squash(exit.cause) }
        return false
      })
      const details = await FastCheck.check(property, {
        numRuns: runs,
        // Without making smaller there is nothing to cut short, and a slow machine must not try fewer cases.
        ...(shrink ? { interruptAfterTimeLimit: shrinkingMs } : { endOnFailure: true }),
        ...(seed === undefined ? {} : { seed })
      })
      // The last value that failed is the smallest.
      if (smallest !== undefined) throw new CaseFailed(smallest.value, details.seed, smallest.cause)
      // A case that cannot even be generated, or a run that was cut short before its first case ended.
      if (details.failed) throw new Error(FastCheck.defaultReportMessage(details) ?? "No case was tried.")
    }))
