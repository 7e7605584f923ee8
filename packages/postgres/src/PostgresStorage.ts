import type { Storage } from "@trailbook/core/storage/Storage"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { CannotConnect } from "./CannotConnect.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"

/**
 * The services of a layer: all storage ports, and the SQL client that they write with, for the program's own
 * statements.
 */
export type Services = Storage | PostgresDatabase.Services

/** All storage ports, in a schema of a Postgres database. */
export const layer = (config: PostgresDatabase.PostgresConfig): Layer.Layer<Services, CannotConnect> =>
  Layer.provideMerge(SqlStorage.layer, PostgresDatabase.layer(config))

/** The settings that {@link layerConfig} reads. The URL contains a password, so it can be redacted. */
export interface PostgresSettings extends Omit<PostgresDatabase.PostgresUrl, "url"> {
  readonly url: string | Redacted.Redacted
}

/**
 * The same, with settings that are read from the program's configuration.
 *
 * @example
 * import { layerConfig } from "@trailbook/postgres"
 * import * as Config from "effect/Config"
 *
 * const storage = layerConfig({ url: Config.redacted("DATABASE_URL"), schema: Config.succeed("booking") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<PostgresSettings>
): Layer.Layer<Services, CannotConnect | ConfigError> =>
  Layer.unwrapEffect(
    Effect.map(Config.unwrap<PostgresSettings>(config), ({ url, ...settings }) =>
      layer({ ...settings, url: Redacted.isRedacted(url) ? Redacted.value(url) : url }))
  )
