import * as FastCheck from "effect/FastCheck"
import { bytesOf, secret, tiff, u16 } from "./bytes.ts"

export interface Jpeg {
  readonly bytes: Uint8Array
  /** The image's own segments, concatenated. */
  readonly picture: Uint8Array
  /** The end of the image, after which phones append data. */
  readonly end: number
  readonly orientation: number | undefined
}

const segment = (marker: number, payload: Uint8Array): Uint8Array =>
  bytesOf(0xff, marker, u16(payload.length + 2), payload)

const payload = FastCheck.uint8Array({ maxLength: 40 })

const picture = (marker: number): FastCheck.Arbitrary<Uint8Array> => payload.map((bytes) => segment(marker, bytes))

const about = (marker: number, name: string): FastCheck.Arbitrary<Uint8Array> =>
  payload.map((bytes) => segment(marker, bytesOf(name, bytes, secret, bytes)))

const aboutPeople = FastCheck.oneof(
  about(0xe1, "http://ns.adobe.com/xap/1.0/\0"),
  about(0xe1, "http://ns.adobe.com/xmp/extension/\0"),
  about(0xe1, ""),
  about(0xe0, "JFXX\0"),
  about(0xe0, "JFIF\0\x01\x02\0\0\x48\0\x48\x09\x09"),
  about(0xe2, "MPF\0"),
  about(0xe2, "FPXR\0"),
  about(0xed, "Photoshop 3.0\0"),
  about(0xee, "Adobe\0\x64\0\0\0\0\x01"),
  about(0xfe, ""),
  ...[0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xef].map((marker) => about(marker, ""))
)

const orientations = FastCheck.option(FastCheck.integer({ min: 0, max: 9 }), { nil: undefined })

const exif = (orientation: number | undefined, little: boolean): Uint8Array =>
  orientation === undefined
    ? bytesOf()
    : segment(0xe1, bytesOf("Exif\0\0", tiff(orientation, little)))

/** Entropy-coded data, in which every 0xff is either escaped or part of a restart marker. */
const coded: FastCheck.Arbitrary<Uint8Array> = FastCheck.array(
  FastCheck.oneof(
    { weight: 8, arbitrary: FastCheck.integer({ min: 0, max: 254 }).map((byte) => [byte]) },
    { weight: 1, arbitrary: FastCheck.constant([0xff, 0]) },
    { weight: 1, arbitrary: FastCheck.integer({ min: 0xd0, max: 0xd7 }).map((restart) => [0xff, restart]) }
  ),
  { maxLength: 60 }
).map((bytes) => Uint8Array.from(bytes.flat()))

const tables = FastCheck.oneof(picture(0xdb), picture(0xc4), picture(0xdd))
const scan = FastCheck.tuple(picture(0xda), coded).map((parts) => bytesOf(...parts))
const profile = payload.map((bytes) => segment(0xe2, bytesOf("ICC_PROFILE\0\x01\x01", bytes)))

interface Part {
  readonly bytes: Uint8Array
  readonly isPicture: boolean
}

const parts = (arbitrary: FastCheck.Arbitrary<Uint8Array>, isPicture: boolean): FastCheck.Arbitrary<Part> =>
  arbitrary.map((bytes) => ({ bytes, isPicture }))

const anything = FastCheck.array(
  FastCheck.oneof(parts(aboutPeople, false), parts(tables, true), parts(profile, true)),
  { maxLength: 6 }
)

/** JPEG files as cameras, phones, and programs write them, with all metadata that must be removed. */
export const jpegs: FastCheck.Arbitrary<Jpeg> = FastCheck.record({
  orientation: orientations,
  little: FastCheck.boolean(),
  before: anything,
  frame: parts(FastCheck.constantFrom(0xc0, 0xc1, 0xc2).chain(picture), true),
  between: anything,
  scans: FastCheck.array(FastCheck.oneof(parts(scan, true), parts(tables, true)), { maxLength: 3 }),
  last: parts(scan, true),
  after: anything,
  trailer: payload.map((bytes) => bytesOf(bytes, secret, [0xff, 0xd9], bytes))
}).map(({ after, before, between, frame, last, little, orientation, scans, trailer }) => {
  const all = [...before, frame, ...between, ...scans, last, ...after]
  const end = [0xff, 0xd9]
  const image = bytesOf(0xff, 0xd8, exif(orientation, little), ...all.map(({ bytes }) => bytes), end)
  return {
    bytes: bytesOf(image, trailer),
    picture: bytesOf(0xff, 0xd8, ...all.filter(({ isPicture }) => isPicture).map(({ bytes }) => bytes), end),
    end: image.length,
    orientation: orientation !== undefined && orientation > 1 && orientation < 9 ? orientation : undefined
  }
})
