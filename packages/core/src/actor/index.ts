/** Actors and API keys: the senders of requests, and their permissions. */
export * from "./Actor.ts"
export * from "./ApiKey.ts"
export * from "./apiKeyOperations.ts"
export * from "./ApiKeys.ts"
export * from "./VisitorAccess.ts"
