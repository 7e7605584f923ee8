/** Stores message files in a folder or an S3-compatible bucket. */
export * as FilesBucket from "./FilesBucket.ts"
export * as FilesFolder from "./FilesFolder.ts"
