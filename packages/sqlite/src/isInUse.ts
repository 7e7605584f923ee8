import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dialect } from "./dialect.ts"
import { open } from "./driver.ts"

/**
 * Whether another process has a database open, as a server has. SQLite lets no
 * two have it for themselves alone, so that is tried. A file that is no database
 * is used by nobody.
 */
export const isInUse = (filename: string): Effect.Effect<boolean> =>
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
