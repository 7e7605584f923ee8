/**
 * Removes metadata from JPEG files. A JPEG file is a list of segments. The segments with picture data are copied
 * unchanged, so the pixels stay the same. The color profile, the color coding, and the orientation are kept, because
 * the picture would look different without them. Everything else is removed: location and camera data (EXIF, XMP, IPTC,
 * comments), previews, and data after the picture. Phones append videos and extra images after the picture, and these
 * can contain location data.
 */
import { hasTextAt, maxPictureParts, readOrientation, SparseBytes, writeOrientation } from "./pictureBytes.ts"

/**
 * Removes personal metadata from a file in place, and returns the cleaned bytes. Returns undefined if the file is
 * malformed.
 */
export const stripJpegMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
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
    if (isPicture(marker) || marker === 0xe2 && hasSegmentName(segment, "ICC_PROFILE\0")) output.keep(begin, at)
    else if (marker !== exifMarker) output.replace(begin, end, trimmers.get(marker)?.(segment))
    else if (!seenParts.orientation) {
      const orientationSegment = keepOrientation(segment)
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

const isPicture = (marker: number): boolean =>
  isFrame(marker) || marker === 0xc4 || marker === 0xcc || marker >= startOfScan && marker <= 0xdf

const hasSegmentName = (segment: Uint8Array, name: string): boolean => hasTextAt(segment, 4, name)

const keepOrientation = (segment: Uint8Array): Uint8Array | undefined => {
  const orientation = hasSegmentName(segment, "Exif\0\0") ? readOrientation(segment.subarray(10)) : undefined
  return orientation === undefined
    ? undefined
    : Uint8Array.of(0xff, exifMarker, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, ...writeOrientation(orientation))
}

/** The segments to keep. Each segment is truncated to its format's length, so that no data can be hidden after it. */
const trimmers: ReadonlyMap<number, (segment: Uint8Array) => Uint8Array | undefined> = new Map([
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
