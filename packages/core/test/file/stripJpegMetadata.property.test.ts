import { readOrientation } from "@trailbook/core/file/pictureBytes"
import { stripMetadata } from "@trailbook/core/file/stripMetadata"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { secret, toLatin1 } from "./bytes.ts"
import { type Jpeg, jpegs } from "./jpegs.ts"

const stripJpegMetadata = (bytes: Uint8Array) => stripMetadata("image/jpeg", bytes)

type Cleaner = (bytes: Uint8Array) => Uint8Array | undefined

const empty = Uint8Array.of()

const segmentOf = (head: string, rest: string): RegExp => new RegExp(head + rest, "g")
const jfif = segmentOf("\xff\xe0\0\x10JFIF\0", "[^]{9}")
const adobe = segmentOf("\xff\xee\0\x0eAdobe", "[^]{7}")
const exif = segmentOf("\xff\xe1\0\x22Exif\0\0", "([^]{26})")

const holds = (cleaner: Cleaner) => ({ bytes, orientation, picture }: Jpeg): void => {
  const cleaned = toLatin1(cleaner(bytes.slice()) ?? empty)
  expect(cleaned).not.toContain(secret)
  const about = [...cleaned.matchAll(exif)].map(([, tiff = ""]) => readOrientation(Buffer.from(tiff, "latin1")))
  expect(about).toEqual(orientation === undefined ? [] : [orientation])
  // The image data must be unchanged and in order. Everything else must have a known fixed form.
  expect(cleaned.replace(jfif, "").replace(adobe, "").replace(exif, "")).toBe(toLatin1(picture).replace(jfif, ""))
}

it("removes a photo's metadata and leaves its image data unchanged", () => {
  FastCheck.assert(FastCheck.property(jpegs, holds(stripJpegMetadata)), { numRuns: 1000 })
})

it("shows that removing only EXIF would leave locations in the file", () => {
  const exifAlone: Cleaner = (bytes) =>
    Buffer.from(toLatin1(bytes).replace(/\xff\xe1[^]{2}Exif\0\0[^]*?(?=\xff)/, ""), "latin1")
  expect(() => FastCheck.assert(FastCheck.property(jpegs, holds(exifAlone)))).toThrow(secret)
})

it("leaves a photo without metadata unchanged", () => {
  FastCheck.assert(FastCheck.property(jpegs, ({ bytes }) => {
    const once = stripJpegMetadata(bytes.slice()) ?? empty
    expect(toLatin1(stripJpegMetadata(once.slice()) ?? empty)).toBe(toLatin1(once))
  }))
})

it("rejects a photo that is truncated at any position", () => {
  FastCheck.assert(
    FastCheck.property(jpegs, FastCheck.nat(), ({ bytes, end }, at) => {
      expect(stripJpegMetadata(bytes.slice(0, at % end))).toBeUndefined()
    }),
    { numRuns: 1000 }
  )
})

it("either strips or rejects arbitrary bytes", () => {
  FastCheck.assert(
    FastCheck.property(
      jpegs,
      FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat(255)), { maxLength: 8 }),
      ({ bytes }, changes) => {
        const damagedBytes = bytes.slice()
        for (const [at, byte] of changes) damagedBytes[2 + at % (bytes.length - 2)] = byte
        const cleanBytes = stripJpegMetadata(damagedBytes)
        if (cleanBytes !== undefined) expect(stripJpegMetadata(cleanBytes)).toBeDefined()
      }
    ),
    { numRuns: 1000 }
  )
})

it.each([
  ["a picture without a scan", [0xff, 0xd8, 0xff, 0xd9]],
  ["a scan without a frame", [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0xd9]],
  ["a segment without a length", [0xff, 0xd8, 0xff, 0xc0, 0, 1, 0xff, 0xd9]],
  ["a second start marker", [0xff, 0xd8, 0xff, 0xd8, 0xff, 0xd9]],
  ["a restart between segments", [0xff, 0xd8, 0xff, 0xd0, 0xff, 0xd9]],
  ["bytes between segments", [0xff, 0xd8, 0xff, 0xc0, 0, 2, 7, 0xff, 0xd9]]
])("rejects %s", (_, bytes) => {
  expect(stripJpegMetadata(Uint8Array.from(bytes))).toBeUndefined()
})

it("accepts fill bytes before a marker and removes them", () => {
  const paddedJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xff, 0xff, 0xc0, 0, 2, 0xff, 0xff, 0xda, 0, 2, 1, 0xff, 0xd9)
  expect(toLatin1(stripJpegMetadata(paddedJpeg) ?? empty)).toBe("\xff\xd8\xff\xc0\0\x02\xff\xda\0\x02\x01\xff\xd9")
})
