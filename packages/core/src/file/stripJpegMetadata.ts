/**
 * A JPEG file is a row of segments. Those that make the picture are copied byte by
 * byte, so its pixels are what they were. Of what is said about the picture three
 * things stay, without which it would look different: its color profile, how its
 * colors are coded, and which way up it is. All else goes: where it was taken and
 * with what (EXIF, XMP, IPTC, comments), previews, and what follows the picture,
 * where phones put films and second pictures with places of their own.
 */
import { mostParts, SparseBytes } from "./SparseBytes.ts"
import { readOrientation, writeOrientation } from "./tiffOrientation.ts"

/**
 * The file without what it tells about people, in the place of the bytes given;
 * `undefined` when it is broken.
 *
 * @category converting
 */
export const stripJpegMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  const packed = new SparseBytes(bytes)
  packed.keep(0, 2)
  const seen = { frame: false, scan: false, orientation: false }
  let at = 2
  for (let segments = 0; segments < mostParts; segments++) {
    if (bytes[at] !== 0xff) return undefined
    // Any number of fill bytes may stand before a marker.
    while (bytes[at] === 0xff) at++
    const marker = bytes[at]
    const begin = at - 1
    if (marker === endOfImage) {
      packed.keep(begin, at + 1)
      return seen.scan ? packed.kept : undefined
    }
    const high = bytes[at + 1]
    const low = bytes[at + 2]
    if (marker === undefined || high === undefined || low === undefined || !hasLength(marker)) return undefined
    const end = at + 1 + high * 256 + low
    if (high * 256 + low < 2 || end > bytes.length) return undefined
    at = end
    if (isFrame(marker)) seen.frame = true
    if (marker === startOfScan) {
      if (!seen.frame) return undefined
      seen.scan = true
      at = scanEnd(bytes, end)
      if (at === -1) return undefined
    }
    const segment = bytes.subarray(begin, end)
    if (isPicture(marker) || marker === 0xe2 && begins(segment, "ICC_PROFILE\0")) packed.keep(begin, at)
    else if (marker !== exif) packed.replace(begin, end, known.get(marker)?.(segment))
    else if (!seen.orientation) {
      const about = oriented(segment)
      seen.orientation = about !== undefined
      packed.replace(begin, end, about)
    }
  }
  return undefined
}

/**
 * Where the coded data of a scan ends: at a marker that is neither an escaped byte nor
 * a restart, nor fill before one. Byte by byte: to have 0xff looked for takes ten times
 * as long where somebody sends nothing else.
 */
const scanEnd = (bytes: Uint8Array, begin: number): number => {
  for (let at = begin; at < bytes.length - 1; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return -1
}

const startOfScan = 0xda
const endOfImage = 0xd9
const exif = 0xe1

/** Restarts, a second beginning and the like stand alone, and never between segments. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9)

/** Tables of codes (C4) and of arithmetic coding (CC) lie among the frames; C8 is not used. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isPicture = (marker: number): boolean =>
  isFrame(marker) || marker === 0xc4 || marker === 0xcc || marker >= startOfScan && marker <= 0xdf

const begins = (segment: Uint8Array, name: string): boolean =>
  segment.length >= 4 + name.length && [...name].every((letter, i) => segment[4 + i] === letter.charCodeAt(0))

const oriented = (segment: Uint8Array): Uint8Array | undefined => {
  const orientation = begins(segment, "Exif\0\0") ? readOrientation(segment.subarray(10)) : undefined
  return orientation === undefined
    ? undefined
    : Uint8Array.of(0xff, exif, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, ...writeOrientation(orientation))
}

/** Of some segments as much is kept as their formats know, so that nothing hides behind it. */
const known: ReadonlyMap<number, (segment: Uint8Array) => Uint8Array | undefined> = new Map([
  // How dense its points are, without the preview.
  [0xe0, (segment: Uint8Array) => begins(segment, "JFIF\0") ? cut(segment, 18)?.fill(0, 16) : undefined],
  // How its colors are coded.
  [0xee, (segment: Uint8Array) => begins(segment, "Adobe") ? cut(segment, 16) : undefined]
])

const cut = (segment: Uint8Array, length: number): Uint8Array | undefined => {
  if (segment.length < length) return undefined
  const copy = segment.slice(0, length)
  copy[2] = 0
  copy[3] = length - 2
  return copy
}
