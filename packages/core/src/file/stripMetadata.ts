import { maxPictureParts, readName, readOrientation, SparseBytes, writeOrientation } from "./pictureBytes.ts"
import type { FileType } from "./StoredFile.ts"
import { stripHeicMetadata } from "./stripHeicMetadata.ts"
import { stripJpegMetadata } from "./stripJpegMetadata.ts"

/**
 * Removes personal metadata from a file, such as where a picture was taken. Works in place, so no second buffer is
 * needed. Returns undefined if the file is malformed. Documents are not changed.
 */
export const stripMetadata = (type: FileType, bytes: Uint8Array): Uint8Array | undefined => cleaners[type](bytes)

/**
 * Removes metadata from a PNG file in place. Returns undefined if the file is malformed. A PNG file is a list of chunks, each with a name and a checksum. Chunks that affect
 * the appearance, including animations, are copied. Text, dates, and camera data are removed, but the orientation is
 * kept.
 */
const stripPngMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packed = new SparseBytes(bytes)
  packed.keep(0, 8)
  let at = 8
  for (let chunks = 0; chunks < maxPictureParts; chunks++) {
    if (at + 12 > bytes.length) return undefined
    const end = at + 12 + view.getUint32(at)
    const name = readName(bytes, at + 4)
    if (end > bytes.length || chunks === 0 && name !== "IHDR") return undefined
    if (pngAppearanceChunks.has(name)) packed.keep(at, end)
    if (name === "eXIf") packed.replace(at, end, makePngOrientation(bytes.subarray(at + 8, end - 4)))
    // Data after this chunk is not part of the picture.
    if (name === "IEND") return packed.kept
    at = end
  }
  return undefined
}

/** The names of the chunks that affect a picture's appearance. */
const pngAppearanceChunks = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP sBIT sRGB mDCV cLLI bKGD pHYs acTL fcTL fdAT".split(" ")
)

const makePngOrientation = (tiff: Uint8Array): Uint8Array | undefined => {
  const orientation = readOrientation(tiff)
  return orientation === undefined ? undefined : makePngChunk("eXIf", writeOrientation(orientation))
}

const makePngChunk = (name: string, data: Uint8Array): Uint8Array => {
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

/**
 * Removes metadata from a WebP file in place. Returns undefined if the file is malformed. A WebP file is a list of chunks inside an outer chunk that declares the total
 * length. Pictures, animations, and the color profile are copied. Camera data is removed, but the orientation is kept.
 * An animation frame is also a list of chunks and is filtered the same way.
 */
const stripWebpMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  if (bytes.length < 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fileLength = 8 + view.getUint32(4, true)
  if (fileLength > bytes.length) return undefined
  const output = new SparseBytes(bytes)
  output.keep(0, 12)
  const seenParts = { picture: false, orientation: false, features: undefined as number | undefined }
  let chunks = 0
  const readChunk = (at: number, limit: number): WebpChunk | undefined => {
    if (at + 8 > limit || chunks++ === maxPictureParts) return undefined
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > limit) return undefined
    // A chunk with an odd length is followed by a padding byte, which some programs omit at the end.
    const end = Math.min(at + 8 + length + length % 2, limit)
    return { name: readName(bytes, at), length, end }
  }
  /** Keeps a frame's pixels, and returns whether the frame has any. Metadata chunks inside the frame are dropped. */
  const keepFrame = (at: number, { end, length }: WebpChunk): boolean => {
    const dataAt = at + 8
    const frameEnd = dataAt + length
    if (length < frameHeaderBytes) return false
    const keptAt = output.kept.length
    output.keep(at, dataAt + frameHeaderBytes)
    let hasPixels = false
    for (let offset = dataAt + frameHeaderBytes; offset < frameEnd;) {
      const chunk = readChunk(offset, frameEnd)
      if (chunk === undefined) return false
      if (webpPixelChunks.has(chunk.name)) hasPixels = true
      if (webpPixelChunks.has(chunk.name) || chunk.name === "ALPH") output.keep(offset, chunk.end)
      offset = chunk.end
    }
    const keptLength = output.kept.length - keptAt - 8
    view.setUint32(keptAt + 4, keptLength, true)
    if (keptLength % 2 === 1) output.keep(frameEnd, end)
    return hasPixels
  }
  for (let at = 12; at < fileLength;) {
    const chunk = readChunk(at, fileLength)
    if (chunk === undefined) return undefined
    const { end, length, name } = chunk
    if (name === "ANMF" && !keepFrame(at, chunk)) return undefined
    if (name === "ANMF" || webpPixelChunks.has(name)) seenParts.picture = true
    if (name === "VP8X") {
      if (length < 10 || seenParts.features !== undefined) return undefined
      seenParts.features = output.kept.length + 8
    }
    if (webpPixelChunks.has(name) || webpAppearanceChunks.has(name)) output.keep(at, end)
    if (name === "EXIF" && !seenParts.orientation) {
      const orientationChunk = makeWebpOrientation(bytes.subarray(at + 8, at + 8 + length))
      seenParts.orientation = orientationChunk !== undefined
      output.replace(at, end, orientationChunk)
    }
    at = end
  }
  if (seenParts.features !== undefined) {
    bytes[seenParts.features] = (bytes[seenParts.features] ?? 0) & ~(exifFlag | xmpFlag) |
      (seenParts.orientation ? exifFlag : 0)
  }
  view.setUint32(4, output.kept.length - 8, true)
  return seenParts.picture ? output.kept : undefined
}

interface WebpChunk {
  readonly name: string
  readonly length: number
  /** The end of the chunk, after the padding byte. */
  readonly end: number
}

const webpPixelChunks = new Set(["VP8 ", "VP8L"])

/** The byte length of a frame header: position, size, duration, and blending. */
const frameHeaderBytes = 16

const webpAppearanceChunks = new Set(["VP8X", "ICCP", "ANIM", "ALPH"])

const exifFlag = 0x08
const xmpFlag = 0x04

/** Returns an EXIF chunk with only the orientation. Some programs prepend the prefix used in JPEG files. */
const makeWebpOrientation = (exif: Uint8Array): Uint8Array | undefined => {
  const orientation = readOrientation(exif) ?? readOrientation(exif.subarray(6))
  if (orientation === undefined) return undefined
  const tiff = writeOrientation(orientation)
  return Uint8Array.of(0x45, 0x58, 0x49, 0x46, tiff.length, 0, 0, 0, ...tiff)
}

const cleaners: Record<FileType, (bytes: Uint8Array) => Uint8Array | undefined> = {
  "image/jpeg": stripJpegMetadata,
  "image/png": stripPngMetadata,
  "image/webp": stripWebpMetadata,
  "image/heic": stripHeicMetadata,
  "application/pdf": (bytes) => bytes
}
