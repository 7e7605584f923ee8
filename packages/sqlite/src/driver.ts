/**
 * Uses the driver directly for operations that `@effect/sql-sqlite-node` lacks, such as copying in one step or checking
 * whether a process has the file open.
 */
import { type SchemaVersion, schemaVersionQuery } from "@trailbook/sql/schema/migrate"
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CannotOpen } from "./CannotOpen.ts"

/** Opens a file until the scope closes. Fails with the driver's error. */
export const open = (
  filename: string,
  options: BetterSqlite3.Options = {}
): Effect.Effect<BetterSqlite3.Database, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => new BetterSqlite3(filename, options), catch: (error) => error }),
    (driver) => Effect.sync(() => driver.close())
  )

/** Returns the schema version, or undefined if the file is not a Trailbook database. */
export const readSchemaVersion = (driver: BetterSqlite3.Database): SchemaVersion | undefined =>
  driver.prepare("select 1 from sqlite_master where name = 'migrations'").get() === undefined
    ? undefined
    : driver.prepare<[], SchemaVersion>(schemaVersionQuery("migrations")).get()

/** Returns the driver's SQLite version. Fails if the driver does not work. Opens no file. */
export const driverVersion: Effect.Effect<string, CannotOpen> = Effect.scoped(
  Effect.map(open(":memory:"), (driver) => String(driver.prepare("select sqlite_version()").pluck().get()))
).pipe(Effect.mapError((cause) => new CannotOpen({ filename: ":memory:", cause })))
