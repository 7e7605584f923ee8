import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"

/**
 * Runs something as a process that is gone at its unit of work after so many: before
 * that unit, or at its end, before its commit.
 */
export const crashAfter = <A, E, R>(
  start: Effect.Effect<A, E, R>,
  units: number,
  dies: "before" | "at the end" = "before"
): Effect.Effect<A, E, R | UnitOfWork> =>
  Effect.flatMap(UnitOfWork, (whole) => {
    let left = units
    const gone = Effect.dieMessage("The process is gone.")
    const mortal = UnitOfWork.of({
      ...whole,
      run: (work) =>
        Effect.suspend(() =>
          left-- > 0 ? whole.run(work) : dies === "before" ? gone : whole.run(Effect.zipRight(work, gone))
        )
    })
    return Effect.provideService(start, UnitOfWork, mortal)
  })
