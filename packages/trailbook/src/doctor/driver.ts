import * as Effect from "effect/Effect"
import { fault, type Finding, makePassed } from "./Finding.ts"

/**
 * Whether SQLite works here at all. It is the one dependency with a binary, which
 * is built or fetched when it is installed.
 */
export const driver = async (): Promise<Finding> => {
  const { driverVersion } = await import("@trailbook/sqlite/driverVersion")
  return Effect.runPromise(Effect.match(driverVersion, {
    onFailure: ({ fix, message }) => fault("driver", message, fix),
    onSuccess: (version) => makePassed("driver", `SQLite ${version}`)
  }))
}
