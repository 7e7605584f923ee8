/**
 * The driver itself, for work on a file that `@effect/sql-sqlite-node` has no word
 * for: copying one in a single step, or looking whether anybody has it open.
 */
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Opens a file until the scope closes, or fails with what the driver threw.
 *
 * @category constructors
 */
export const open = (
  filename: string,
  options: BetterSqlite3.Options = {}
): Effect.Effect<BetterSqlite3.Database, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => new BetterSqlite3(filename, options), catch: (error) => error }),
    (driver) => Effect.sync(() => driver.close())
  )
