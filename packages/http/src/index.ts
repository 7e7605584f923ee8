/**
 * Trailbook operations as REST routes with OpenAPI 3.1.
 *
 * `serve` runs the handler on Node; `httpApi` is the same API for users of
 * `@effect/platform`, which is too heavy to load along.
 */
export * from "./handler.ts"
