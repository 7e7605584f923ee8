/** Connects the domain to its adapters: storage, IDs, external services, and background jobs. */
export { accountsLayer } from "./accountsLayer.ts"
export { loadAdapter, storageLayer } from "./adapter.ts"
export { engineLayer } from "./engine.ts"
export { OperatorError } from "./Failure.ts"
export * as NodeIds from "./NodeIds.ts"
export { createOrg } from "./org.ts"
export { type DatabaseUrl, databaseUrl } from "./setting/databaseUrl.ts"
