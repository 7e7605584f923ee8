import type { Mail } from "@trailbook/core/mail"
import * as Instant from "@trailbook/core/time/Instant"
import { buildMimeMessage } from "@trailbook/mail/mimeMessage"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { crc32, inflateSync } from "node:zlib"
import PostalMime from "postal-mime"
import { encode } from "uqr"
import { assert, describe, test } from "vitest"
import { encodeQrPng } from "../src/CheckInCodePng.ts"

/** Reads the pixels of an image with one bit per pixel and no filters. True is black. Fails if a checksum is wrong. */
const readPixels = (image: Buffer): ReadonlyArray<ReadonlyArray<boolean>> => {
  assert.strictEqual(image.subarray(0, 8).toString("hex"), "89504e470d0a1a0a")
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < image.length;) {
    const end = at + 8 + image.readUInt32BE(at)
    assert.strictEqual(image.readUInt32BE(end), crc32(image.subarray(at + 4, end)))
    chunks.set(image.toString("latin1", at + 4, at + 8), image.subarray(at + 8, end))
    at = end + 4
  }
  assert.deepStrictEqual([...chunks.keys()], ["IHDR", "IDAT", "IEND"])
  const header = chunks.get("IHDR") ?? Buffer.alloc(0)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  assert.deepStrictEqual([...header.subarray(8)], [1, 0, 0, 0, 0])
  const pixels = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0))
  const bytes = 1 + Math.ceil(width / 8)
  assert.strictEqual(pixels.length, height * bytes)
  return Array.from({ length: height }, (_, y) => {
    assert.strictEqual(pixels[y * bytes], 0)
    return Array.from(
      { length: width },
      (_, x) => ((pixels[y * bytes + 1 + (x >> 3)] ?? 0) >> (7 - x % 8)) % 2 === 0
    )
  })
}

describe("a QR code in an email", () => {
  test("has eight-pixel modules and a quiet zone", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.webUrl(), (url) => {
        const { data, size } = encode(url, { border: 4 })
        const pixels = readPixels(Buffer.from(encodeQrPng(url)))
        assert.strictEqual(pixels.length, size * 8)
        assert.deepStrictEqual(
          pixels,
          Array.from(
            { length: size * 8 },
            (_, y) => Array.from({ length: size * 8 }, (_, x) => data[y >> 3]?.[x >> 3] === true)
          )
        )
        assert.isFalse(pixels.slice(0, 32).flat().includes(true))
      }),
      { numRuns: 20 }
    )
  })

  test("is sent inline", async () => {
    const content = encodeQrPng("https://book.example.com/c/k7m2q9x4t5w8z3b6n1r0s2")
    const mail: Mail = {
      id: "0197a1b2-0000-7000-8000-000000000001",
      from: { name: "Pine River Outfitters" },
      to: { name: "Ada Lovelace", email: "ada@example.com" },
      replyTo: null,
      subject: "Booking confirmed",
      text: "Hi Ada",
      html: "<img src=\"cid:image@trailbook\" alt=\"QR code\">",
      calendar: null,
      thread: null,
      automatic: "generated",
      attachments: [{ name: "image.png", type: "image/png", content, contentId: "image@trailbook" }],
      bounceToken: null
    }
    const options = { from: "bookings@pine.example", date: Instant.make(0) }
    const { attachments: [image], html } = await PostalMime.parse(
      await Effect.runPromise(buildMimeMessage(mail, options))
    )
    assert.include(html, "cid:image@trailbook")
    assert.strictEqual(image?.contentId, "<image@trailbook>")
    assert.strictEqual(image?.disposition, "inline")
    assert.strictEqual(image?.related, true)
    assert.deepStrictEqual(
      image?.content instanceof ArrayBuffer ? new Uint8Array(image.content) : undefined,
      new Uint8Array(content)
    )
  })
})
