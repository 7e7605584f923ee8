import type { FileType } from "./FileType.ts"
import { stripHeicMetadata } from "./stripHeicMetadata.ts"
import { stripJpegMetadata } from "./stripJpegMetadata.ts"
import { stripPngMetadata } from "./stripPngMetadata.ts"
import { stripWebpMetadata } from "./stripWebpMetadata.ts"

/**
 * A file of this type without what it tells about people, above all where a picture
 * was taken; `undefined` when it is broken. It takes the place of the bytes given, so
 * that no second room is needed. A document stays as it is.
 *
 * @category converting
 */
export const stripMetadata = (type: FileType, bytes: Uint8Array): Uint8Array | undefined => cleaners[type](bytes)

const cleaners: Record<FileType, (bytes: Uint8Array) => Uint8Array | undefined> = {
  "image/jpeg": stripJpegMetadata,
  "image/png": stripPngMetadata,
  "image/webp": stripWebpMetadata,
  "image/heic": stripHeicMetadata,
  "application/pdf": (bytes) => bytes
}
