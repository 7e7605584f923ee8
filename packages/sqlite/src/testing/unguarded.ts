import type { Storage } from "@trailbook/core/storage"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import { layerUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Layer from "effect/Layer"
import type { CannotOpen } from "../CannotOpen.ts"
import * as SqliteDatabase from "../SqliteDatabase.ts"

/** The SQLite storage without transactions. It is a negative control for tests and must not be used in production. */
export const layer = (config: SqliteDatabase.SqliteConfig): Layer.Layer<Storage, CannotOpen> =>
  SqlStorage.layer.pipe(Layer.provide(layerUnguarded), Layer.provide(SqliteDatabase.layer(config)))
