/** Functions that the metadata removers for pictures share. */
/**
 * The maximum number of parts in a picture. Real pictures have a few hundred, and millions would block the event loop.
 */
export const maxPictureParts = 50_000

/**
 * A buffer that removes parts of a file in place. Kept parts are moved to the front, so no second buffer is needed.
 * Parts must be kept in order, and a replacement must not be longer than the part that it replaces.
 */
export class SparseBytes {
  readonly #bytes: Uint8Array
  #end = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The bytes kept so far. */
  get kept(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }

  keep(begin: number, end: number): void {
    if (begin > this.#end) this.#bytes.copyWithin(this.#end, begin, end)
    this.#end += end - begin
  }

  /** Replaces the part from `begin` to `end`, or removes it if the replacement is missing or does not fit. */
  replace(begin: number, end: number, bytes: Uint8Array | undefined): void {
    if (bytes === undefined || bytes.length > end - begin) return
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }
}

/**
 * Returns the orientation in a TIFF structure, from 2 to 8. Cameras store the orientation in EXIF data, in TIFF format,
 * together with the location. Only the orientation is read and written back. Returns undefined if the picture is
 * upright, or if the structure is malformed or contains no orientation.
 */
export const readOrientation = (tiff: Uint8Array): number | undefined => {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (tiff.length < 8) return undefined
  const order = view.getUint16(0)
  if (order !== littleEndian && order !== bigEndian) return undefined
  const little = order === littleEndian
  const start = view.getUint32(4, little)
  if (start + 2 > tiff.length) return undefined
  const count = view.getUint16(start, little)
  for (let n = 0; n < count; n++) {
    const at = start + 2 + n * 12
    if (at + 12 > tiff.length) return undefined
    if (view.getUint16(at, little) !== orientationTag || view.getUint16(at + 2, little) !== short) continue
    const value = view.getUint16(at + 8, little)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** Creates a TIFF structure that contains only the orientation. */
export const writeOrientation = (orientation: number): Uint8Array => {
  const tiff = new Uint8Array(26)
  const view = new DataView(tiff.buffer)
  view.setUint16(0, bigEndian)
  view.setUint16(2, 42)
  view.setUint32(4, 8)
  view.setUint16(8, 1)
  view.setUint16(10, orientationTag)
  view.setUint16(12, short)
  view.setUint32(14, 1)
  view.setUint16(18, orientation)
  return tiff
}

const littleEndian = 0x4949
const bigEndian = 0x4d4d
const orientationTag = 0x0112
const short = 3

/** Returns whether the bytes at an offset spell a text. */
export const hasTextAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0))

/** Returns the four-character name at an offset. */
export const readName = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
