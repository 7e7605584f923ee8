/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Runtime from "effect/Runtime"
import type { Conditions } from "./Law.ts"

/** A failing case is made smaller for at most this long; a slow database must still say what failed. */
const shrinkingMs = 15_000

/**
 * Tries a property of generated values. It dies with the smallest value found
 * for which `holds` does not succeed, and with the seed that repeats it.
 *
 * @since 0.1.0
 * @category checking
 */
export const forAll = <A, E, R>(
  { runs, seed, shrink }: Pick<Conditions, "runs" | "seed" | "shrink">,
  arbitrary: FastCheck.Arbitrary<A>,
  holds: (value: A) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(arbitrary, (value) => Runtime.runPromise(runtime)(holds(value))),
        {
          numRuns: runs,
          // Without making smaller there is nothing to cut short, and a slow machine must not try fewer cases.
          ...(shrink ? { interruptAfterTimeLimit: shrinkingMs } : { endOnFailure: true }),
          ...(seed === undefined ? {} : { seed })
        }
      )
    ))
