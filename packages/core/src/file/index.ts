/** Files and pictures: their models, the port that stores them, and the port that removes metadata. */
export * from "./Attachments.ts"
export * from "./Photos.ts"
export * from "./StoredFile.ts"
export * from "./stripMetadata.ts"
