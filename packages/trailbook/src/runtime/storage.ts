/**
 * @since 0.1.0
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import type { Database } from "@trailbook/sql/Database"
import type { CannotOpen } from "@trailbook/sqlite/CannotOpen"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import type * as Layer from "effect/Layer"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"

/**
 * Every storage port over the database of an address. It is made when it is not
 * there, and its tables are brought up to date.
 *
 * @since 0.1.0
 * @category layers
 */
export const storage = ({ file }: DatabaseUrl): Layer.Layer<Storage | Database, CannotOpen> =>
  SqliteStorage.layer({ filename: file })
