import { detectFileType } from "@trailbook/core/file/Attachments"
import { readOrientation } from "@trailbook/core/file/pictureBytes"
import { type FileType, fileTypes } from "@trailbook/core/file/StoredFile"
import { stripMetadata } from "@trailbook/core/file/stripMetadata"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { bytesOf, secret, tiff, toLatin1, u32 } from "./bytes.ts"
import { jpegs } from "./jpegs.ts"
import { heics, type Picture, pngs, webps } from "./otherPictures.ts"

const cases: ReadonlyArray<readonly [FileType, FastCheck.Arbitrary<Picture>]> = [
  ["image/png", pngs],
  ["image/webp", webps],
  ["image/heic", heics]
]

describe.each(cases)("a picture of type %s", (type, pictures) => {
  it("keeps its image data and removes its metadata", () => {
    FastCheck.assert(
      FastCheck.property(pictures, ({ bytes, end, kept, orientation }) => {
        expect(detectFileType(bytes)).toBe(type)
        const cleaned = Buffer.from(stripMetadata(type, bytes.slice()) ?? [])
        expect(toLatin1(cleaned)).not.toContain(secret)
        expect(detectFileType(cleaned)).toBe(type)
        let at = 0
        for (const part of kept) {
          const partStart = cleaned.indexOf(part, at)
          expect(partStart).toBeGreaterThanOrEqual(at)
          at = partStart + part.length
        }
        expect(cleaned.length).toBeLessThanOrEqual(end)
        const exifAt = toLatin1(cleaned).indexOf("MM\0\x2a\0\0\0\x08")
        expect(exifAt === -1 ? undefined : readOrientation(cleaned.subarray(exifAt))).toBe(orientation)
      }),
      { numRuns: runs(500, 100) }
    )
  })

  it("is unchanged when its metadata is stripped again", () => {
    FastCheck.assert(FastCheck.property(pictures, ({ bytes }) => {
      const once = Buffer.from(stripMetadata(type, bytes.slice()) ?? [])
      expect(toLatin1(stripMetadata(type, Buffer.from(once)) ?? bytesOf())).toBe(toLatin1(once))
    }))
  })

  it("is rejected if it is truncated", () => {
    FastCheck.assert(
      FastCheck.property(pictures, FastCheck.nat(), ({ bytes, end }, at) => {
        expect(stripMetadata(type, bytes.slice(0, at % end))).toBeUndefined()
      }),
      { numRuns: runs(500, 100) }
    )
  })

  it("is stripped or rejected if any bytes are changed", () => {
    FastCheck.assert(
      FastCheck.property(
        pictures,
        FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat(255)), { maxLength: 8 }),
        ({ bytes }, changes) => {
          const damagedBytes = bytes.slice()
          for (const [at, byte] of changes) damagedBytes[at % bytes.length] = byte
          stripMetadata(type, damagedBytes)
        }
      ),
      { numRuns: runs(2000, 400) }
    )
  })
})

it("writes the checksum that PNG requires", () => {
  const head = bytesOf(u32(0), "IHDR", "crc!")
  const about = tiff(6, true)
  const exif = bytesOf(u32(about.length), "eXIf", about, "crc!")
  const end = bytesOf(u32(0), "IEND", "crc!")
  const cleaned = stripMetadata("image/png", bytesOf("\x89PNG\r\n\x1a\n", head, exif, end)) ?? bytesOf()
  expect(toLatin1(cleaned)).toContain(toLatin1(bytesOf(u32(0xd6674b69))))
})

it("immediately rejects a short file with an endless offset list", () => {
  const box = (name: string, ...pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
    const inside = bytesOf(...pieces)
    return bytesOf(u32(8 + inside.length), name, inside)
  }
  // Version 2, with zero-byte numbers and 65,535 extents per item.
  const places = Array.from({ length: 1000 }, (_, id) => bytesOf(u32(id), u32(0), 0xff, 0xff))
  const endless = box("iloc", u32(2 << 24), bytesOf(0, 0), u32(places.length), ...places)
  const meta = box("meta", u32(0), box("iinf", u32(0), bytesOf(0, 0)), endless)
  expect(stripMetadata("image/heic", bytesOf(u32(20), "ftypheic", u32(0), "heic", meta))).toBeUndefined()
})

it("rejects a HEIC file whose items contain no picture data", () => {
  FastCheck.assert(FastCheck.property(heics, ({ bytes }) => {
    const text = toLatin1(bytes)
    const media = text.lastIndexOf("mdat")
    const metadata = bytes.slice()
    for (let at = text.indexOf("hvc1"); at >= 0; at = text.indexOf("hvc1", at + 4)) metadata.set(bytesOf("mime"), at)
    expect(stripMetadata("image/heic", metadata)).toBeUndefined()
    const outside = bytes.slice()
    outside.set(bytesOf("free"), media)
    expect(stripMetadata("image/heic", outside)).toBeUndefined()
  }))
})

describe("a file's type", () => {
  const ftyp = (...brands: ReadonlyArray<string>): Uint8Array =>
    bytesOf(u32(12 + 4 * brands.length), "ftyp", brands[0] ?? "", u32(0), ...brands.slice(1))

  it.each([
    ["a photo from a phone", ftyp("heic", "mif1", "heic"), "image/heic"],
    ["a HEIC whose first brand is a generic image", ftyp("mif1", "heic"), "image/heic"],
    ["an AVIF", ftyp("avif", "mif1"), undefined],
    ["an AVIF whose first brand is a generic image", ftyp("mif1", "avif", "heic"), undefined],
    ["an image with an unknown encoding", ftyp("mif1", "miaf"), undefined],
    ["a video", ftyp("isom", "mp42"), undefined],
    ["a PDF", bytesOf("%PDF-1.7\n"), "application/pdf"],
    ["an HTML page that contains a PDF signature", bytesOf("<!doctype html>%PDF-"), undefined],
    ["an SVG", bytesOf("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), undefined],
    ["a GIF", bytesOf("GIF89a"), undefined],
    ["audio in a WebP container", bytesOf("RIFF", u32(4), "WAVE"), undefined],
    ["an empty file", bytesOf(), undefined]
  ])("is detected correctly for %s", (_, bytes, type) => {
    expect(detectFileType(bytes)).toBe(type)
  })

  it("is detected only from a complete signature", () => {
    FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ maxLength: 20 }), (bytes) => {
      const type = detectFileType(bytes)
      if (type !== undefined) expect(Object.keys(fileTypes)).toContain(type)
    }))
    FastCheck.assert(FastCheck.property(jpegs, ({ bytes }) => {
      expect(detectFileType(bytes)).toBe("image/jpeg")
    }))
  })
})
