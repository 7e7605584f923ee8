import { cleanHeic } from "./cleanHeic.ts"
import { cleanJpeg } from "./cleanJpeg.ts"
import { cleanPng } from "./cleanPng.ts"
import { cleanWebp } from "./cleanWebp.ts"
import type { FileType } from "./FileType.ts"

/**
 * A file of this type without what it tells about people, above all where a picture
 * was taken; `undefined` when it is broken. It takes the place of the bytes given, so
 * that no second room is needed. A document stays as it is.
 *
 * @category converting
 */
export const clean = (type: FileType, bytes: Uint8Array): Uint8Array | undefined => cleaners[type](bytes)

const cleaners: Record<FileType, (bytes: Uint8Array) => Uint8Array | undefined> = {
  "image/jpeg": cleanJpeg,
  "image/png": cleanPng,
  "image/webp": cleanWebp,
  "image/heic": cleanHeic,
  "application/pdf": (bytes) => bytes
}
