/** A client for the Trailbook REST API, for browsers and Node.js. */
export type { CallOptions, Client } from "./Client.ts"
export { type ClientOptions, createClient } from "./createClient.ts"
export type * from "./operations.ts"
export { type Result, TrailbookError, type TransportCode } from "./TrailbookError.ts"
export type { UploadOptions, Uploads } from "./uploads.ts"
