/**
 * Trailbook operations as REST routes with OpenAPI 3.1.
 *
 * `serve` runs the handler on Node. `httpApi` exports the API as an `HttpApi` of `@effect/platform`; it is not exported
 * here because it is slow to load.
 */
export * from "./handler.ts"
