import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dialect } from "./dialect.ts"
import { open } from "./driver.ts"

/**
 * Requests exclusive access to find out whether another process, such as a server, has the database open. Returns false
 * for a file that is not a database.
 */
export const isDatabaseInUse = (filename: string): Effect.Effect<boolean> =>
  existsSync(filename)
    ? Effect.scoped(Effect.flatMap(open(filename, { fileMustExist: true, timeout: 0 }), (driver) =>
      Effect.try({
        try: () => {
          driver.pragma("locking_mode = exclusive")
          driver.exec("begin exclusive; rollback")
        },
        catch: (error) => error
      }))).pipe(
        Effect.as(false),
        Effect.catchAll((error) => Effect.succeed(dialect.isUnavailable(error)))
      )
    : Effect.succeed(false)
