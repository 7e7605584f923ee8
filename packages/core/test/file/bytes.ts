/** Helpers for building and inspecting binary data. */

type Piece = string | number | Uint8Array | ReadonlyArray<number>

/** Concatenates pieces. Text contributes one byte per character, and each number contributes one byte. */
export const bytesOf = (...pieces: ReadonlyArray<Piece>): Uint8Array =>
  Uint8Array.from(pieces.flatMap((piece) => {
    if (typeof piece === "number") return [piece]
    return typeof piece === "string" ? [...piece].map((letter) => letter.charCodeAt(0)) : [...piece]
  }))

export const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 255)

export const u32 = (value: number): Uint8Array => bytesOf(u16(value >>> 16), u16(value & 0xffff))

export const u32le = (value: number): Uint8Array => u32(value).toReversed()

/** Decodes bytes into text with one character per byte. */
export const toLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

/**
 * Text that must not appear in a cleaned file. The text is placed wherever cameras and programs write personal data.
 */
export const secret = "38.5347N 105.9989W"

/** A TIFF structure with an orientation and a location, as written by cameras. */
export const tiff = (orientation: number, little: boolean): Uint8Array => {
  const number = (value: number, size: 2 | 4) => {
    const bytes = size === 2 ? u16(value) : u32(value)
    return little ? bytes.toReversed() : bytes
  }
  return bytesOf(
    little ? "II" : "MM",
    number(42, 2),
    number(8, 4),
    number(2, 2),
    [...number(0x0112, 2), ...number(3, 2), ...number(1, 4), ...number(orientation, 2), 0, 0],
    [...number(0x8825, 2), ...number(4, 2), ...number(1, 4), ...number(38, 4)],
    number(0, 4),
    secret
  )
}
