/** Trailbook's Postgres storage. */
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
export { layer, layerConfig, type PostgresSettings, type Services } from "./PostgresStorage.ts"
