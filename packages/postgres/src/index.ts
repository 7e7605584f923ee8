/** Trailbook's Postgres storage. */
import type { Storage } from "@trailbook/core/storage"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { CannotConnect } from "./CannotConnect.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"

export { CannotConnect } from "./CannotConnect.ts"
export type { Inspection } from "./inspectServer.ts"
export {
  inspect,
  migrate,
  pendingMigrations,
  type PostgresClient,
  type PostgresConfig,
  type PostgresPool,
  type PostgresUrl
} from "./PostgresDatabase.ts"

/**
 * The services that {@link layer} provides: all storage ports, and the SQL client that they use. The program can also
 * run its own statements through this client.
 */
export type Services = Storage | PostgresDatabase.Services

/** Provides all storage ports for one schema in a Postgres database. */
export const layer = (config: PostgresDatabase.PostgresConfig): Layer.Layer<Services, CannotConnect> =>
  Layer.provideMerge(SqlStorage.layer, PostgresDatabase.layer(config))

/**
 * The settings that {@link layerConfig} reads. The URL can be wrapped in `Redacted`, because it contains a password.
 */
export interface PostgresSettings extends Omit<PostgresDatabase.PostgresUrl, "url"> {
  readonly url: string | Redacted.Redacted
}

/**
 * Like {@link layer}, but reads the settings from the program's configuration.
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
