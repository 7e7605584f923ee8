/** The format of requests and responses: cursors, examples, and decoding errors. */
export { parseEmailAddress, placeholderEmailHost } from "./addresses.ts"
export * from "./Cursor.ts"
export * from "./decodeError.ts"
export * from "./Language.ts"
export * from "./View.ts"
