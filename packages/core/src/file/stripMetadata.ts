import type { FileType } from "./StoredFile.ts"
import { stripHeicMetadata } from "./stripHeicMetadata.ts"
import { stripJpegMetadata } from "./stripJpegMetadata.ts"
import { stripPngMetadata } from "./stripPngMetadata.ts"
import { stripWebpMetadata } from "./stripWebpMetadata.ts"

/**
 * Removes personal metadata from a file, such as where a picture was taken. Works in place, so no second buffer is
 * needed. Returns undefined if the file is malformed. Documents are not changed.
 */
export const stripMetadata = (type: FileType, bytes: Uint8Array): Uint8Array | undefined => cleaners[type](bytes)

const cleaners: Record<FileType, (bytes: Uint8Array) => Uint8Array | undefined> = {
  "image/jpeg": stripJpegMetadata,
  "image/png": stripPngMetadata,
  "image/webp": stripWebpMetadata,
  "image/heic": stripHeicMetadata,
  "application/pdf": (bytes) => bytes
}
