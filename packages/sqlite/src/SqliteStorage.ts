/**
 * @since 0.1.0
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import type { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
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
