/**
 * Trailbook operations as REST routes with OpenAPI 3.1.
 *
 * `serve` runs the handler on Node. `httpApi` is the same API for users of `@effect/platform`; it is not exported here
 * because it is slow to load.
 */
export * from "./handler.ts"
