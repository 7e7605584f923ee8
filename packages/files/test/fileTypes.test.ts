/** Checks file type detection against a library that knows 100 types. */
import { detectFileType } from "@trailbook/core/file"
import * as FastCheck from "effect/FastCheck"
import { fileTypeFromBuffer } from "file-type"
import { expect, it } from "vitest"

const beginnings = [
  "\xff\xd8\xff\xe0",
  "\xff\xd8\xff\xe1",
  "\xff\xd8\xff\xf7",
  "\x89PNG\r\n\x1a\n",
  "RIFF\x10\0\0\0WEBPVP8 ",
  "RIFF\x10\0\0\0WAVEfmt ",
  "%PDF-1.7\n",
  "GIF89a",
  "BM\x10\0",
  "PK\x03\x04",
  "MZ\x90",
  "II*\0",
  "<svg xmlns=\"http://www.w3.org/2000/svg\">",
  "<!doctype html>",
  ...["heic", "heix", "mif1", "msf1", "avif", "avis", "hevc", "isom", "crx "].map((brand) =>
    `\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`
  )
]

it("agrees with the file-type library about photos and documents", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.constantFrom(...beginnings),
      FastCheck.uint8Array({ minLength: 40, maxLength: 200 }),
      async (beginning, rest) => {
        const bytes = Buffer.concat([Buffer.from(beginning, "latin1"), rest])
        const ownType = detectFileType(bytes)
        const libraryType = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
        // The library reads only the first brand, and calls every image container HEIF.
        if (ownType === "image/heic") expect(["image/heic", "image/heif", "image/heif-sequence"]).toContain(libraryType)
        else if (ownType !== undefined && libraryType !== undefined) {
          expect(libraryType.replace("apng", "png")).toBe(ownType)
        }
        if (["image/jpeg", "image/webp", "application/pdf"].includes(libraryType ?? "")) {
          expect(ownType).toBe(libraryType)
        }
      }
    ),
    { numRuns: 500 }
  )
})
