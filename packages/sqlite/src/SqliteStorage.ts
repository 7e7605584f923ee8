import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Storage } from "@trailbook/core/storage/Storage"
import type { Database } from "@trailbook/sql/Database"
import type { HostTransactions } from "@trailbook/sql/HostTransactions"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as cachedApiKeys from "./cachedApiKeys.ts"
import type { CannotOpen } from "./CannotOpen.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"

/**
 * The services that {@link layer} provides: all storage ports, and the SQL client that writes. The program can run its
 * own statements with that client.
 */
export type Services = Storage | Database | HostTransactions | SqliteClient | SqlClient

const stored = Layer.provideMerge(cachedApiKeys.layer, SqlStorage.layer)

/** Provides all storage ports over one SQLite file. */
export const layer = (config: SqliteDatabase.SqliteConfig): Layer.Layer<Services, CannotOpen> =>
  Layer.provideMerge(stored, SqliteDatabase.layer(config))

/**
 * Like {@link layer}, but uses the host application's `@effect/sql-sqlite-node` client. Both share one writer, so the
 * program's transactions can contain bookings. The settings that the storage requires are applied to the client.
 *
 * @example import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient" import { layerClient } from
 * "@trailbook/sqlite" import * as Layer from "effect/Layer"
 *
 * const storage = Layer.provideMerge(layerClient, SqliteClient.layer({ filename: "shop.sqlite" }))
 */
export const layerClient: Layer.Layer<Services, CannotOpen, SqliteClient> = Layer.provideMerge(
  stored,
  SqliteDatabase.layerClient
)

/**
 * Like {@link layer}, with settings from the program's configuration.
 *
 * @example
 * import { layerConfig } from "@trailbook/sqlite"
 * import * as Config from "effect/Config"
 *
 * const storage = layerConfig({ filename: Config.string("BOOKINGS_FILE") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<SqliteDatabase.SqliteConfig>
): Layer.Layer<Services, CannotOpen | ConfigError> => Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))
