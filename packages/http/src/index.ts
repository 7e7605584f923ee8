/**
 * Exposes Trailbook's operations as REST routes with OpenAPI 3.1.
 *
 * `serve` runs the handler on Node. `httpApi` provides the API as an `HttpApi` from `@effect/platform`. It is a
 * separate entry point, because it loads slowly.
 */
export * from "./handler.ts"
