/**
 * Removes metadata from WebP files. A WebP file is a list of chunks inside an outer chunk that declares the total
 * length. Pictures, animations, and the color profile are copied. Camera data is removed, but the orientation is kept.
 * An animation frame is also a list of chunks and is filtered the same way.
 */
import { maxPictureParts, SparseBytes } from "./SparseBytes.ts"
import { readOrientation, writeOrientation } from "./tiffOrientation.ts"

/**
 * Removes personal metadata from a file in place, and returns the cleaned bytes. Returns undefined if the file is
 * malformed.
 */
export const stripWebpMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  if (bytes.length < 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fileLength = 8 + view.getUint32(4, true)
  if (fileLength > bytes.length) return undefined
  const output = new SparseBytes(bytes)
  output.keep(0, 12)
  const seenParts = { picture: false, orientation: false, features: undefined as number | undefined }
  let chunks = 0
  const readChunk = (at: number, limit: number): Chunk | undefined => {
    if (at + 8 > limit || chunks++ === maxPictureParts) return undefined
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > limit) return undefined
    // A chunk with an odd length is followed by a padding byte, which some programs omit at the end.
    const end = Math.min(at + 8 + length + length % 2, limit)
    return { name: String.fromCharCode(...bytes.subarray(at, at + 4)), length, end }
  }
  /** Keeps a frame's pixels, and returns whether the frame has any. Metadata chunks inside the frame are dropped. */
  const keepFrame = (at: number, { end, length }: Chunk): boolean => {
    const dataAt = at + 8
    const frameEnd = dataAt + length
    if (length < frameHeaderBytes) return false
    const keptAt = output.kept.length
    output.keep(at, dataAt + frameHeaderBytes)
    let hasPixels = false
    for (let offset = dataAt + frameHeaderBytes; offset < frameEnd;) {
      const chunk = readChunk(offset, frameEnd)
      if (chunk === undefined) return false
      if (pixelChunks.has(chunk.name)) hasPixels = true
      if (pixelChunks.has(chunk.name) || chunk.name === "ALPH") output.keep(offset, chunk.end)
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
    if (name === "ANMF" || pixelChunks.has(name)) seenParts.picture = true
    if (name === "VP8X") {
      if (length < 10 || seenParts.features !== undefined) return undefined
      seenParts.features = output.kept.length + 8
    }
    if (pixelChunks.has(name) || appearanceChunks.has(name)) output.keep(at, end)
    if (name === "EXIF" && !seenParts.orientation) {
      const orientationChunk = keepOrientation(bytes.subarray(at + 8, at + 8 + length))
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

interface Chunk {
  readonly name: string
  readonly length: number
  /** The end of the chunk, after the padding byte. */
  readonly end: number
}

const pixelChunks = new Set(["VP8 ", "VP8L"])

/** The byte length of a frame header: position, size, duration, and blending. */
const frameHeaderBytes = 16

const appearanceChunks = new Set(["VP8X", "ICCP", "ANIM", "ALPH"])

const exifFlag = 0x08
const xmpFlag = 0x04

/** Returns an EXIF chunk with only the orientation. Some programs prepend the prefix used in JPEG files. */
const keepOrientation = (exif: Uint8Array): Uint8Array | undefined => {
  const orientation = readOrientation(exif) ?? readOrientation(exif.subarray(6))
  if (orientation === undefined) return undefined
  const tiff = writeOrientation(orientation)
  return Uint8Array.of(0x45, 0x58, 0x49, 0x46, tiff.length, 0, 0, 0, ...tiff)
}
