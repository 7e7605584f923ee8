/**
 * @since 0.1.0
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import type { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as cachedApiKeys from "./cachedApiKeys.ts"
import type { CannotOpen } from "./CannotOpen.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"

/**
 * Every port of storage in a SQLite file.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (config: SqliteDatabase.SqliteConfig): Layer.Layer<Storage | Database, CannotOpen> =>
  cachedApiKeys.layer.pipe(Layer.provideMerge(SqlStorage.layer), Layer.provideMerge(SqliteDatabase.layer(config)))

/**
 * The same, with settings that are read from the program's configuration.
 *
 * @example
 * import { layerConfig } from "@trailbook/sqlite"
 * import * as Config from "effect/Config"
 *
 * const storage = layerConfig({ filename: Config.string("BOOKINGS_FILE") })
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  config: Config.Config.Wrap<SqliteDatabase.SqliteConfig>
): Layer.Layer<Storage | Database, CannotOpen | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))
