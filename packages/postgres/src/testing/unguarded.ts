import type { Storage } from "@trailbook/core/storage"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import { layerUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Layer from "effect/Layer"
import type { CannotConnect } from "../CannotConnect.ts"
import * as PostgresDatabase from "../PostgresDatabase.ts"

/** The Postgres storage without transactions. It is a negative control for tests and must not be used in production. */
export const layer = (config: PostgresDatabase.PostgresConfig): Layer.Layer<Storage, CannotConnect> =>
  SqlStorage.layer.pipe(Layer.provide(layerUnguarded), Layer.provide(PostgresDatabase.layer(config)))
