/**
 * Exposes Trailbook operations as REST routes with OpenAPI 3.1.
 *
 * `serve` runs the handler on Node. `httpApi` provides the API as an `HttpApi` of `@effect/platform`. It is a separate
 * entry point, because it is slow to load.
 */
export * from "./handler.ts"
