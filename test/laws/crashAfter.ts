import { UnitOfWork } from "@trailbook/core/port"
import * as Effect from "effect/Effect"

/** Runs work in a process that crashes at its n-th unit of work, either before the unit starts or before it commits. */
export const crashAfter = <A, E, R>(
  start: Effect.Effect<A, E, R>,
  units: number,
  dies: "before" | "at the end" = "before"
): Effect.Effect<A, E, R | UnitOfWork> =>
  Effect.flatMap(UnitOfWork, (whole) => {
    let remainingUnits = units
    const crash = Effect.dieMessage("The process is gone.")
    const mortal = UnitOfWork.of({
      ...whole,
      run: (work) =>
        Effect.suspend(() =>
          remainingUnits-- > 0 ? whole.run(work) : dies === "before" ? crash : whole.run(Effect.zipRight(work, crash))
        )
    })
    return Effect.provideService(start, UnitOfWork, mortal)
  })
