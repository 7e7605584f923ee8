import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { BatchOptions } from "@trailbook/core/booking"
import type { Storage } from "@trailbook/core/storage"
import type { PostgresClient, PostgresConfig, PostgresPool } from "@trailbook/postgres"
import type { CannotConnect } from "@trailbook/postgres/CannotConnect"
import type { Database } from "@trailbook/sql/Database"
import type { HostTransactions } from "@trailbook/sql/HostTransactions"
import type { PendingMigrations } from "@trailbook/sql/schema/migrate"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { throwMissingPackage } from "./MissingPackage.ts"
import type { DatabaseUrl, PostgresUrl } from "./setting/databaseUrl.ts"

/**
 * The `CannotOpen` error from `@trailbook/sqlite`. Redeclared here, because that package is installed only for SQLite.
 */
export interface CannotOpen extends Error {
  readonly _tag: "CannotOpen"
  readonly filename: string
  readonly fix: string
}

/** The errors that occur if the configured database cannot be opened or reached. */
export type DatabaseOpenError = CannotOpen | CannotConnect

/** The services that a storage adapter provides: the storage ports and the SQL client. */
export type StorageServices = Storage | Database | HostTransactions | SqlClient

/** The host application's `SqliteClient` from `@effect/sql-sqlite-node`. */
export interface HostSqliteClient {
  readonly sqlite: SqlClient & { readonly config: { readonly filename: string } }
}

export interface StorageAdapter {
  /** Provides the storage ports. Creates the database if it does not exist and applies pending migrations. */
  readonly storage: Layer.Layer<StorageServices, DatabaseOpenError>
  /** Applies pending migrations and returns their names. */
  readonly migrate: Effect.Effect<ReadonlyArray<string>, DatabaseOpenError>
  /** Returns the pending migrations without changing or creating the database. */
  readonly pending: Effect.Effect<PendingMigrations, DatabaseOpenError>
  /** The batch options for booking writes on this database. */
  readonly batches: BatchOptions
}

/**
 * Loads the storage adapter for an address, a pool, or a client. Loads only the driver that the database needs. Dies
 * with a `MissingPackage` if SQLite is not installed.
 */
export const loadAdapter = (
  database: DatabaseUrl | PostgresPool | PostgresClient | HostSqliteClient,
  replica?: PostgresUrl
): Effect.Effect<StorageAdapter> =>
  Effect.promise(() => {
    if ("sqlite" in database) return makeSqliteHostAdapter(database)
    if ("pool" in database || "client" in database) return makePostgresAdapter(database)
    if (database._tag === "Sqlite") return makeSqliteAdapter(database)
    const { prepare, schema, url } = database
    return makePostgresAdapter({ url, schema, prepare, replica })
  })

const makeSqliteAdapter = async ({ file: filename }: DatabaseUrl & { _tag: "Sqlite" }): Promise<StorageAdapter> => {
  const [{ layer, migrate, pendingMigrations }, { batchOptions }] = await Promise.all([
    import("@trailbook/sqlite"),
    import("@trailbook/sqlite/batchOptions")
  ]).catch(throwMissingPackage("SQLite", "@trailbook/sqlite"))
  return {
    storage: layer({ filename }),
    migrate: migrate({ filename }),
    pending: pendingMigrations({ filename }),
    batches: batchOptions
  }
}

const makeSqliteHostAdapter = async ({ sqlite: client }: HostSqliteClient): Promise<StorageAdapter> => {
  const [{ SqliteClient }, { layerClient }, sqliteAdapter] = await Promise.all([
    import("@effect/sql-sqlite-node/SqliteClient"),
    import("@trailbook/sqlite"),
    makeSqliteAdapter({ _tag: "Sqlite", file: client.config.filename })
  ]).catch(throwMissingPackage("SQLite", "@trailbook/sqlite"))
  return { ...sqliteAdapter, storage: Layer.provide(layerClient, Layer.succeed(SqliteClient, client as SqliteClient)) }
}

const makePostgresAdapter = async (config: PostgresConfig): Promise<StorageAdapter> => {
  const [{ layer, migrate, pendingMigrations }, { batchOptions }] = await Promise.all([
    import("@trailbook/postgres"),
    import("@trailbook/postgres/batchOptions")
  ])
  return { storage: layer(config), migrate: migrate(config), pending: pendingMigrations(config), batches: batchOptions }
}

export const storageLayer = (database: DatabaseUrl): Layer.Layer<StorageServices, DatabaseOpenError> =>
  Layer.unwrapEffect(Effect.map(loadAdapter(database), ({ storage }) => storage))
