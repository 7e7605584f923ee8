import type { PostgresPool } from "@trailbook/postgres"
import { type DatabaseUrl, databaseUrl, isSchema, schemaMust } from "@trailbook/runtime/setting/databaseUrl"
import type { TrailbookOptions } from "./TrailbookOptions.ts"

/** Parses the `database` option. Throws a `TypeError` if the option is invalid. */
export const parseDatabase = (database: TrailbookOptions["database"]): DatabaseUrl | PostgresPool => {
  if (typeof database === "string") {
    if (database === inMemory || database === `sqlite:${inMemory}`) return { _tag: "Sqlite", file: inMemory }
    const result = databaseUrl.read(database)
    if ("value" in result) return result.value
    throw new TypeError(`database: ${result.must}, ${inMemory}, or postgres({ pool })`)
  }
  if (typeof database !== "object" || database === null) {
    throw new TypeError(
      `database: must be a URL such as sqlite:bookings.sqlite, ${inMemory}, or postgres({ pool })`
    )
  }
  const { pool, prepare, schema } = database
  if (schema !== undefined && !isSchema(schema)) throw new TypeError(`database: ${schemaMust}`)
  if (typeof pool?.connect !== "function") throw new TypeError("database: pool must be a pg Pool")
  return {
    // The host application may lack the type declarations of `pg`. The public type therefore requires only the members
    // that identify a pool.
    pool: pool as PostgresPool["pool"],
    ...(schema === undefined ? {} : { schema }),
    ...(prepare === undefined ? {} : { prepare })
  }
}

const inMemory = ":memory:"

/** Returns whether the database is in memory. Such a database has no tables until it is opened. */
export const isInMemory = (database: DatabaseUrl | PostgresPool): boolean =>
  "file" in database && database.file === inMemory

export const isPostgres = (database: DatabaseUrl | PostgresPool): boolean =>
  "pool" in database || database._tag === "Postgres"
