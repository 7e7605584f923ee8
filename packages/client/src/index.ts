/** A client for the Trailbook REST API, for browsers and Node.js. */
export type { AttachmentUploads, UploadOptions } from "./attachmentUploads.ts"
export type { CallOptions, Client } from "./Client.ts"
export { type ClientOptions, createClient } from "./createClient.ts"
export type * from "./operations.ts"
export { type Result, TrailbookError, type TransportErrorCode } from "./TrailbookError.ts"
