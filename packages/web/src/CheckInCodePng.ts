/** Draws booking QR codes for emails. Uses PNG (RFC 2083), because email clients strip inline SVG. */
import { CheckInCode } from "@trailbook/core/mail"
import * as Layer from "effect/Layer"
import { crc32, deflateSync } from "node:zlib"
import { encode } from "uqr"

/** The width of a QR module in pixels. At one bit per pixel, each row of a module is exactly one byte. */
const scale = 8

const signature = Buffer.from("89504e470d0a1a0a", "hex")

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Draws a QR code in black on white. Scanners need a quiet zone of four modules. */
export const encodeQrPng = (text: string): Uint8Array => {
  const { data, size } = encode(text, { border: 4 })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size * scale, 0)
  header.writeUInt32BE(size * scale, 4)
  // The bit depth is 1, and the color type is 0 (grayscale).
  header[8] = 1
  const rows = data.flatMap((row) => {
    // Each row starts with its filter type, and 0 means no filter.
    const line = Buffer.from([0, ...row.map((isDark) => isDark ? 0 : 255)])
    return Array.from({ length: scale }, () => line)
  })
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

export const layer: Layer.Layer<CheckInCode> = Layer.succeed(CheckInCode, CheckInCode.of({ png: encodeQrPng }))
