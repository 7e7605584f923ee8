/** Connects the domain to its adapters: storage, IDs, external services, and background jobs. */
export { accountsLayer } from "./accountsLayer.ts"
export { engineLayer } from "./engineLayer.ts"
export { loadAdapter, storageLayer } from "./loadAdapter.ts"
export * as NodeIds from "./NodeIds.ts"
export { OperatorError } from "./OperatorError.ts"
export { createOrg } from "./org.ts"
export { type DatabaseUrl, databaseUrl } from "./setting/databaseUrl.ts"
