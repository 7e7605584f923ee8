import { hasTextAt, maxPictureParts, readName, readOrientation, SparseBytes, writeOrientation } from "./pictureBytes.ts"
import type { FileType } from "./StoredFile.ts"
import { stripHeicMetadata } from "./stripHeicMetadata.ts"

/**
 * Removes personal metadata from a file, such as where a picture was taken. Works in place, so no second buffer is
 * needed. Returns undefined if the file is malformed. Documents are not changed.
 */
export const stripMetadata = (type: FileType, bytes: Uint8Array): Uint8Array | undefined => cleaners[type](bytes)

/**
 * Removes metadata from a JPEG file in place. Returns undefined if the file is malformed. A JPEG file is a list of
 * segments. The segments with picture data are copied unchanged, so the pixels stay the same. The color profile, the
 * color coding, and the orientation are kept, because the picture would look different without them. Everything else is
 * removed: location and camera data (EXIF, XMP, IPTC, comments), previews, and data after the picture. Phones append
 * videos and extra images after the picture, and these can contain location data.
 */
const stripJpegMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  const output = new SparseBytes(bytes)
  output.keep(0, 2)
  const seenParts = { frame: false, scan: false, orientation: false }
  let at = 2
  for (let segments = 0; segments < maxPictureParts; segments++) {
    if (bytes[at] !== 0xff) return undefined
    // Fill bytes can precede a marker.
    while (bytes[at] === 0xff) at++
    const marker = bytes[at]
    const begin = at - 1
    if (marker === endOfImage) {
      output.keep(begin, at + 1)
      return seenParts.scan ? output.kept : undefined
    }
    const high = bytes[at + 1]
    const low = bytes[at + 2]
    if (marker === undefined || high === undefined || low === undefined || !hasLength(marker)) return undefined
    const end = at + 1 + high * 256 + low
    if (high * 256 + low < 2 || end > bytes.length) return undefined
    at = end
    if (isFrame(marker)) seenParts.frame = true
    if (marker === startOfScan) {
      if (!seenParts.frame) return undefined
      seenParts.scan = true
      at = findScanEnd(bytes, end)
      if (at === -1) return undefined
    }
    const segment = bytes.subarray(begin, end)
    if (isPictureMarker(marker) || marker === 0xe2 && hasSegmentName(segment, "ICC_PROFILE\0")) output.keep(begin, at)
    else if (marker !== exifMarker) output.replace(begin, end, segmentTrimmers.get(marker)?.(segment))
    else if (!seenParts.orientation) {
      const orientationSegment = makeJpegOrientation(segment)
      seenParts.orientation = orientationSegment !== undefined
      output.replace(begin, end, orientationSegment)
    }
  }
  return undefined
}

/**
 * Finds the end of a scan: the first marker that is not an escaped byte, a restart, or a fill byte. Reads byte by byte,
 * because `indexOf` takes ten times as long for a file filled with 0xff.
 */
const findScanEnd = (bytes: Uint8Array, begin: number): number => {
  for (let at = begin; at < bytes.length - 1; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return -1
}

const startOfScan = 0xda
const endOfImage = 0xd9
const exifMarker = 0xe1

/**
 * Returns whether a length follows a marker. Restart and start markers have no length and never appear between
 * segments.
 */
const hasLength = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9)

/**
 * Returns whether a marker starts a frame. Huffman tables (C4) and arithmetic coding tables (CC) are in the same range,
 * and C8 is reserved.
 */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isPictureMarker = (marker: number): boolean =>
  isFrame(marker) || marker === 0xc4 || marker === 0xcc || marker >= startOfScan && marker <= 0xdf

const hasSegmentName = (segment: Uint8Array, name: string): boolean => hasTextAt(segment, 4, name)

const makeJpegOrientation = (segment: Uint8Array): Uint8Array | undefined => {
  const orientation = hasSegmentName(segment, "Exif\0\0") ? readOrientation(segment.subarray(10)) : undefined
  return orientation === undefined
    ? undefined
    : Uint8Array.of(0xff, exifMarker, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, ...writeOrientation(orientation))
}

/** The segments to keep. Each segment is truncated to its format's length, so that no data can be hidden after it. */
const segmentTrimmers: ReadonlyMap<number, (segment: Uint8Array) => Uint8Array | undefined> = new Map([
  // Keep the pixel density, but not the preview.
  [
    0xe0,
    (segment: Uint8Array) => hasSegmentName(segment, "JFIF\0") ? truncateSegment(segment, 18)?.fill(0, 16) : undefined
  ],
  // Keep the color coding.
  [0xee, (segment: Uint8Array) => hasSegmentName(segment, "Adobe") ? truncateSegment(segment, 16) : undefined]
])

const truncateSegment = (segment: Uint8Array, length: number): Uint8Array | undefined => {
  if (segment.length < length) return undefined
  const copy = segment.slice(0, length)
  copy[2] = 0
  copy[3] = length - 2
  return copy
}

/**
 * Removes metadata from a PNG file in place. Returns undefined if the file is malformed. A PNG file is a list of
 * chunks, each with a name and a checksum. Chunks that affect the appearance, including animations, are copied. Text,
 * dates, and camera data are removed, but the orientation is kept.
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
 * Removes metadata from a WebP file in place. Returns undefined if the file is malformed. A WebP file is a list of
 * chunks inside an outer chunk that declares the total length. Pictures, animations, and the color profile are copied.
 * Camera data is removed, but the orientation is kept. An animation frame is also a list of chunks and is filtered the
 * same way.
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
