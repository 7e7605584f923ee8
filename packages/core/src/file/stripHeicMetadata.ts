/**
 * Removes metadata from HEIC files. A HEIC file is a tree of boxes. The `meta` box lists the items (pictures and
 * metadata) and their byte ranges in the file. If bytes were removed, the ranges of all later items would shift.
 * Personal metadata (EXIF, XMP, and boxes that programs add) is therefore overwritten with zeros. The orientation is
 * stored elsewhere in such files and is kept.
 */
import { maxPictureParts, readName } from "./pictureBytes.ts"

/**
 * Removes personal metadata from a file in place, and returns the cleaned bytes. Returns undefined if the file is
 * malformed or not supported.
 */
export const stripHeicMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  try {
    return removeMetadata(bytes)
  } catch (error) {
    // The file is malformed or not supported. For example, an offset points outside the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const removeMetadata = (bytes: Uint8Array): Uint8Array | undefined => {
  const fileBoxes = readBoxes(bytes, 0, bytes.length)
  const meta = fileBoxes.find(({ name }) => name === "meta")
  const end = fileBoxes.at(-1)?.end
  if (meta === undefined || end === undefined || fileBoxes[0]?.name !== "ftyp") return undefined
  const metaChildren = readBoxes(bytes, meta.begin + 4, meta.end)
  const findBox = (name: string) => metaChildren.find((box) => box.name === name)
  // The picture is truncated.
  if (readName(bytes, end + 4) === "mdat") return undefined
  const items = findBox("iinf")
  const locations = findBox("iloc")
  if (items === undefined || locations === undefined) return undefined
  const types = readItemTypes(bytes, items)
  const extents = readExtents(bytes, locations, findBox("idat"))
  const media = [
    ...fileBoxes.filter(({ name }) => name === "mdat"),
    ...metaChildren.filter(({ name }) => name === "idat")
  ]
  const isCoded = ({ begin, end, item }: Extent): boolean => {
    const type = types.get(item)
    return type !== undefined && !metadataTypes.has(type) && !derivedTypes.has(type) &&
      media.some((box) => begin >= box.begin && begin < end && end <= box.end)
  }
  if (!extents.some(isCoded)) return undefined
  const ranges = [
    ...fileBoxes.filter((box) => box !== fileBoxes[0] && box !== meta && box.name !== "mdat"),
    ...metaChildren.filter(({ name }) => !metaBoxes.has(name)),
    ...readProperties(bytes, findBox("iprp")).filter(({ name }) => metadataProperties.has(name)),
    ...extents.filter(({ item }) => metadataTypes.has(types.get(item) ?? ""))
  ]
  // Check all ranges before overwriting the first one.
  if (ranges.some((range) => range.begin > range.end || range.end > bytes.length)) return undefined
  // Overlapping ranges would make a small file expensive to process.
  if (ranges.reduce((sum, { begin, end }) => sum + end - begin, 0) > bytes.length) return undefined
  for (const range of ranges) bytes.fill(0, range.begin, range.end)
  // Data after the boxes is not part of the picture.
  return bytes.subarray(0, end)
}

/**
 * The boxes in `meta` needed to decode or place the picture. All other boxes, such as `udta` and `xml `, are
 * overwritten.
 */
const metaBoxes = new Set(["hdlr", "dinf", "pitm", "iloc", "iinf", "iprp", "iref", "idat", "grpl"])

/** The item properties that are meant for people, such as titles, tags, and dates. */
const metadataProperties = new Set(["udes", "altt", "crtt", "mdft", "udta", "uuid"])

const readProperties = (bytes: Uint8Array, iprp: Box | undefined): ReadonlyArray<Box> =>
  iprp === undefined
    ? []
    : readBoxes(bytes, iprp.begin, iprp.end).flatMap(({ begin, end, name }) =>
      name === "ipco" ? readBoxes(bytes, begin, end) : []
    )

interface Range {
  readonly begin: number
  readonly end: number
}

interface Box extends Range {
  readonly name: string
}

/** Returns the complete boxes in a range. `begin` is the offset after the header. */
const readBoxes = (bytes: Uint8Array, begin: number, end: number): ReadonlyArray<Box> => {
  const reader = new Reader(bytes)
  const boxes: Array<Box> = []
  let at = begin
  while (at + 8 <= end) {
    reader.at = at
    const shortLength = reader.number(4)
    const name = reader.text()
    const length = shortLength === 1 ? reader.number(8) : shortLength === 0 ? end - at : shortLength
    if (length < reader.at - at || at + length > end) break
    if (boxes.length === maxPictureParts) throw new RangeError("Too many boxes.")
    boxes.push({ name, begin: reader.at, end: at + length })
    at += length
  }
  return boxes
}

/**
 * Returns the type of each item by ID. Versions before 2 declare only a content type, so their items have the type
 * `mime`.
 */
const readItemTypes = (bytes: Uint8Array, { begin, end }: Box): ReadonlyMap<number, string> => {
  const isWide = (bytes[begin] ?? 0) > 0
  return new Map(
    readBoxes(bytes, begin + (isWide ? 8 : 6), end).map((box) => {
      const reader = new Reader(bytes, box.begin)
      const version = reader.number(4) >>> 24
      const item = reader.number(version > 2 ? 4 : 2)
      reader.number(2)
      return [item, version < 2 ? "mime" : reader.text()]
    })
  )
}

const metadataTypes = new Set(["Exif", "mime", "uri "])

/** The types of items that are computed from other items and have no coded data. */
const derivedTypes = new Set(["grid", "iovl", "iden", "tmap"])

interface Extent extends Range {
  readonly item: number
}

/** Returns the items' byte ranges in the file. */
const readExtents = (bytes: Uint8Array, box: Box, idat: Box | undefined): ReadonlyArray<Extent> => {
  const reader = new Reader(bytes, box.begin)
  const version = reader.number(4) >>> 24
  const sizes = reader.number(2)
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 12,
    sizes >> 8 & 15,
    sizes >> 4 & 15,
    sizes & 15
  ] as const
  const extents: Array<Extent> = []
  const idSize = version < 2 ? 2 : 4
  for (let items = reader.number(idSize); items > 0; items--) {
    const item = reader.number(idSize)
    const method = version === 0 ? 0 : reader.number(2) & 15
    reader.number(2)
    const base = reader.number(baseSize)
    for (let parts = reader.number(2); parts > 0; parts--) {
      if (version > 0) reader.number(indexSize)
      const begin = base + reader.number(offsetSize) + (method === 1 ? idat?.begin ?? NaN : 0)
      const length = reader.number(lengthSize)
      const end = length === 0 ? (method === 1 ? idat?.end ?? NaN : bytes.length) : begin + length
      // Other construction methods are not supported.
      if (method > 1 || Number.isNaN(end) || reader.at > box.end) throw new RangeError("Item location out of range.")
      // An extent can take up no bytes in the file, so even a small file can declare many of them. The largest real
      // pictures have hundreds.
      if (extents.length === maxPictureParts) throw new RangeError("Too many items.")
      extents.push({ item, begin, end })
    }
  }
  return extents
}

/** Reads consecutive big-endian integers of any size. Reading past the end throws a `RangeError`. */
class Reader {
  at: number
  readonly #view: DataView

  constructor(bytes: Uint8Array, at = 0) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  number(size: number): number {
    let value = 0
    for (let i = 0; i < size; i++) value = value * 256 + this.#view.getUint8(this.at++)
    return value
  }

  text(): string {
    return String.fromCharCode(...[0, 0, 0, 0].map(() => this.number(1)))
  }
}
