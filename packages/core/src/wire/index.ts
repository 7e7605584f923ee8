/** The format of requests and responses: cursors, examples, and decoding errors. */
export * from "./Cursor.ts"
export * from "./decodeError.ts"
export * from "./exampleValue.ts"
export * from "./Language.ts"
export * from "./parseEmailAddress.ts"
export * from "./View.ts"
