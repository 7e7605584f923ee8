/**
 * Removes metadata from PNG files. A PNG file is a list of chunks, each with a name and a checksum. Chunks that affect
 * the appearance, including animations, are copied. Text, dates, and camera data are removed, but the orientation is
 * kept.
 */
import { maxPictureParts, SparseBytes } from "./SparseBytes.ts"
import { readOrientation, writeOrientation } from "./tiffOrientation.ts"

/**
 * Removes personal metadata from a file in place, and returns the cleaned bytes. Returns undefined if the file is
 * malformed.
 */
export const stripPngMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packed = new SparseBytes(bytes)
  packed.keep(0, 8)
  let at = 8
  for (let chunks = 0; chunks < maxPictureParts; chunks++) {
    if (at + 12 > bytes.length) return undefined
    const end = at + 12 + view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.length || chunks === 0 && name !== "IHDR") return undefined
    if (look.has(name)) packed.keep(at, end)
    if (name === "eXIf") packed.replace(at, end, keepOrientation(bytes.subarray(at + 8, end - 4)))
    // Data after this chunk is not part of the picture.
    if (name === "IEND") return packed.kept
    at = end
  }
  return undefined
}

/** The names of the chunks that affect a picture's appearance. */
const look = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP sBIT sRGB mDCV cLLI bKGD pHYs acTL fcTL fdAT".split(" ")
)

const keepOrientation = (tiff: Uint8Array): Uint8Array | undefined => {
  const orientation = readOrientation(tiff)
  return orientation === undefined ? undefined : chunk("eXIf", writeOrientation(orientation))
}

const chunk = (name: string, data: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set([...name].map((letter) => letter.charCodeAt(0)), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}

const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
