/**
 * All Trailbook stores once, over @effect/sql and a small dialect record.
 *
 * @since 0.1.0
 */
export { Database } from "./Database.ts"
export { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
export { layer } from "./SqlStorage.ts"
