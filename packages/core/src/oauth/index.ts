/** OAuth clients, authorization requests, and grants. */
export * from "./AuthorizationRequest.ts"
export * from "./Grant.ts"
export * from "./Grants.ts"
export * from "./OAuthClient.ts"
export * from "./OAuthClients.ts"
