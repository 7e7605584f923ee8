/**
 * Client of the REST API of Trailbook, for browsers and Node.
 *
 * @since 0.1.0
 */
export type { CallOptions, Client } from "./Client.ts"
export { type ClientOptions, createClient } from "./createClient.ts"
export type * from "./operations.ts"
export type { Result } from "./Result.ts"
export { TrailbookError, type TransportCode } from "./TrailbookError.ts"
