/**
 * @since 0.1.0
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import type { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as Layer from "effect/Layer"
import type { CannotConnect } from "./CannotConnect.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import * as sharedApiKeys from "./sharedApiKeys.ts"

/**
 * Every port of storage in a schema of a Postgres database.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (config: PostgresDatabase.PostgresConfig): Layer.Layer<Storage | Database, CannotConnect> =>
  sharedApiKeys.layer.pipe(Layer.provideMerge(SqlStorage.layer), Layer.provideMerge(PostgresDatabase.layer(config)))
