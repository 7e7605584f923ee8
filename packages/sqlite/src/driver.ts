/**
 * The driver itself, for work on a file that `@effect/sql-sqlite-node` has no word
 * for: copying one in a single step, or looking whether anybody has it open.
 */
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Opens a file until the scope closes, or fails with what the driver threw. */
export const open = (
  filename: string,
  options: BetterSqlite3.Options = {}
): Effect.Effect<BetterSqlite3.Database, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => new BetterSqlite3(filename, options), catch: (error) => error }),
    (driver) => Effect.sync(() => driver.close())
  )

/** The number of the last change of the schema; nothing where there is no database of ours. */
export const lastMigration = (driver: BetterSqlite3.Database): number | undefined =>
  driver.prepare("select 1 from sqlite_master where name = 'migrations'").get() === undefined
    ? undefined
    : Number(driver.prepare("select coalesce(max(number), 0) from migrations").pluck().get())
