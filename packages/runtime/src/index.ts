/** Connects the domain to its adapters: storage, IDs, external services, and background jobs. */
export { accountsLayer } from "./accountsLayer.ts"
export { adapter, storage } from "./adapter.ts"
export { engine } from "./engine.ts"
export { Failure } from "./Failure.ts"
export * as NodeIds from "./NodeIds.ts"
export { createOrg } from "./org.ts"
export { type DatabaseUrl, databaseUrl } from "./setting/databaseUrl.ts"
