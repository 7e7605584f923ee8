/**
 * Where the files of messages are: in a folder, or in an object storage that
 * speaks S3.
 */
export * as FilesBucket from "./FilesBucket.ts"
export * as FilesFolder from "./FilesFolder.ts"
