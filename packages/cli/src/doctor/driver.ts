import * as Effect from "effect/Effect"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Checks the SQLite driver, the only dependency with a native binary. */
export const driver = async (): Promise<Finding> => {
  const { driverVersion } = await import("@trailbook/sqlite/driver")
  return Effect.runPromise(Effect.match(driverVersion, {
    onFailure: ({ fix, message }) => fault("driver", message, fix),
    onSuccess: (version) => makePassed("driver", `SQLite ${version}`)
  }))
}
