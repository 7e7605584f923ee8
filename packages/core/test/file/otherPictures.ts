import * as FastCheck from "effect/FastCheck"
import { bytesOf, secret, tiff, u16, u32, u32le } from "./bytes.ts"

export interface Picture {
  readonly bytes: Uint8Array
  /** The data that must be preserved in order, byte for byte. */
  readonly kept: ReadonlyArray<Uint8Array>
  /** The end of the image. */
  readonly end: number
  readonly orientation: number | undefined
}

interface Part {
  readonly bytes: Uint8Array
  readonly isKept: boolean
}

const data = FastCheck.uint8Array({ maxLength: 30 })

const part = (isKept: boolean, make: (name: string, data: Uint8Array) => Uint8Array) => (name: string) =>
  data.map((bytes): Part => ({ bytes: make(name, isKept ? bytes : bytesOf(bytes, secret)), isKept }))

const trailer = data.map((bytes) => bytesOf(bytes, secret))

const exif = FastCheck.option(
  FastCheck.record({ value: FastCheck.integer({ min: 0, max: 9 }), little: FastCheck.boolean() }),
  { nil: undefined }
)

const validOrientation = (orientation: { readonly value: number } | undefined): number | undefined =>
  orientation !== undefined && orientation.value > 1 && orientation.value < 9 ? orientation.value : undefined

/** Creates a chunk with an invalid checksum, which is enough because checksums are not verified. */
const chunk = (name: string, bytes: Uint8Array): Uint8Array => bytesOf(u32(bytes.length), name, bytes, "crc!")

export const pngs: FastCheck.Arbitrary<Picture> = FastCheck.record({
  head: part(true, chunk)("IHDR"),
  exif,
  middle: FastCheck.array(FastCheck.oneof(
    ...["IDAT", "PLTE", "tRNS", "iCCP", "pHYs", "fdAT"].map(part(true, chunk)),
    ...["tEXt", "zTXt", "iTXt", "tIME", "caNv", "orNT"].map(part(false, chunk))
  )),
  trailer
}).map(({ exif, head, middle, trailer }) => {
  const parts = [head, ...middle, { bytes: chunk("IEND", bytesOf()), isKept: true }]
  const about = exif === undefined ? bytesOf() : chunk("eXIf", tiff(exif.value, exif.little))
  const image = bytesOf("\x89PNG\r\n\x1a\n", head.bytes, about, ...parts.slice(1).map(({ bytes }) => bytes))
  return {
    bytes: bytesOf(image, trailer),
    kept: parts.filter(({ isKept }) => isKept).map(({ bytes }) => bytes),
    end: image.length,
    orientation: validOrientation(exif)
  }
})

const riffChunk = (name: string, bytes: Uint8Array): Uint8Array =>
  bytesOf(name, u32le(bytes.length), bytes, bytes.length % 2 === 1 ? [0] : [])

/** An animation frame. Removing its metadata makes it shorter. */
const frame = FastCheck.record({
  head: FastCheck.uint8Array({ minLength: 16, maxLength: 16 }),
  alpha: FastCheck.option(part(true, riffChunk)("ALPH"), { nil: undefined }),
  pixels: FastCheck.oneof(...["VP8 ", "VP8L"].map(part(true, riffChunk))),
  metadata: FastCheck.array(FastCheck.oneof(...["EXIF", "XMP ", "junk"].map(part(false, riffChunk))), { maxLength: 2 })
}).map(({ alpha, head, metadata, pixels }) => {
  const keptBytes = bytesOf(head, alpha?.bytes ?? [], pixels.bytes)
  return {
    bytes: riffChunk("ANMF", bytesOf(keptBytes, ...metadata.map(({ bytes }) => bytes))),
    kept: riffChunk("ANMF", keptBytes)
  }
})

const still = FastCheck.oneof(...["VP8 ", "VP8L"].map(part(true, riffChunk)))
  .map(({ bytes }) => ({ bytes, kept: bytes }))

export const webps: FastCheck.Arbitrary<Picture> = FastCheck.record({
  exif,
  likeJpeg: FastCheck.boolean(),
  before: FastCheck.array(FastCheck.oneof(...["ICCP", "ANIM", "ALPH"].map(part(true, riffChunk))), { maxLength: 3 }),
  picture: FastCheck.oneof(still, frame),
  after: FastCheck.array(FastCheck.oneof(...["XMP ", "junk"].map(part(false, riffChunk))), { maxLength: 3 }),
  trailer
}).map(({ after, before, exif, likeJpeg, picture, trailer }) => {
  const parts = [...before.map(({ bytes }) => ({ bytes, kept: bytes })), picture]
  const about = exif === undefined
    ? bytesOf()
    : riffChunk("EXIF", bytesOf(likeJpeg ? "Exif\0\0" : "", tiff(exif.value, exif.little)))
  const features = riffChunk("VP8X", Uint8Array.of(0x2c, 0, 0, 0, 9, 0, 0, 9, 0, 0))
  const body = bytesOf("WEBP", features, ...parts.map(({ bytes }) => bytes), about, ...after.map(({ bytes }) => bytes))
  const image = bytesOf("RIFF", u32le(body.length), body)
  return {
    bytes: bytesOf(image, trailer),
    kept: parts.map(({ kept }) => kept),
    end: image.length,
    orientation: validOrientation(exif)
  }
})

const box = (name: string, ...pieces: ReadonlyArray<Uint8Array | string>): Uint8Array => {
  const inside = bytesOf(...pieces)
  return bytesOf(u32(8 + inside.length), name, inside)
}

const item = (id: number, type: string): Uint8Array => box("infe", u32(2 << 24), u16(id), u16(0), type, "\0")

const coded = FastCheck.uint8Array({ minLength: 1, maxLength: 30 })

/** A picture with two tiles. Its items include metadata from a camera and an editor, stored inline or by reference. */
export const heics: FastCheck.Arbitrary<Picture> = FastCheck.record({
  tiles: FastCheck.tuple(coded, coded),
  exif: data.map((bytes) => bytesOf(u32(0), tiff(6, true), bytes)),
  xmp: data.map((bytes) => bytesOf("<x:xmpmeta>", secret, bytes)),
  inList: FastCheck.boolean(),
  siblings: FastCheck.array(FastCheck.constantFrom("uuid", "mpvd", "free", "moov", "meta", "ftyp"), { maxLength: 2 }),
  inMeta: FastCheck.array(FastCheck.constantFrom("udta", "xml ", "bxml", "uuid", "free"), { maxLength: 2 }),
  properties: FastCheck.array(FastCheck.constantFrom("udes", "crtt", "uuid"), { maxLength: 2 }),
  trailer
}).map(({ exif, inList, inMeta, properties, siblings, tiles, trailer, xmp }) => {
  const head = box("ftyp", "heic", u32(0), "mif1heic")
  const [one, two] = tiles
  const media = bytesOf(one, exif, two, inList ? bytesOf() : xmp)
  const meta = (mediaAt: number): Uint8Array => {
    const places = [
      [1, 0, mediaAt, one.length],
      [2, 0, mediaAt + one.length, exif.length],
      [3, 0, mediaAt + one.length + exif.length, two.length],
      [4, inList ? 1 : 0, inList ? 0 : mediaAt + one.length + exif.length + two.length, xmp.length]
    ] as const
    return box(
      "meta",
      u32(0),
      box("hdlr", u32(0)),
      box("iinf", u32(0), u16(4), item(1, "hvc1"), item(2, "Exif"), item(3, "hvc1"), item(4, "mime")),
      box(
        "iloc",
        u32(1 << 24),
        u16(0x4400),
        u16(places.length),
        ...places.map(([id, method, at, length]) => bytesOf(u16(id), u16(method), u16(0), u16(1), u32(at), u32(length)))
      ),
      box("iprp", box("ipco", box("ispe", u32(0)), ...properties.map((name) => box(name, secret)))),
      ...inMeta.map((name) => box(name, secret)),
      inList ? box("idat", xmp) : bytesOf()
    )
  }
  const others = bytesOf(...siblings.map((name) => box(name, secret)))
  const mediaAt = head.length + meta(0).length + others.length + 8
  const image = bytesOf(head, meta(mediaAt), others, box("mdat", media))
  return { bytes: bytesOf(image, trailer), kept: [one, two], end: image.length, orientation: undefined }
})
