/**
 * Whether a mail costs too much to parse: more than 100,000 lines or 1,000 parts. The parser takes 10 seconds and 1.7
 * GB for a million empty lines.
 *
 * Lines of 72 bytes or more are not counted, because an attached photo of 10 MB is encoded in 180,000 lines of 76
 * bytes. The largest mail has 370,000 such lines, which take 4 seconds.
 */
export const isTooComplex = (raw: Uint8Array): boolean => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let lines = 0
  let parts = 0
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found < 0 ? bytes.length : found
    if (end - start < encodedLineLength) lines++
    if (isDelimiter(bytes, start, end)) parts++
    if (lines > maxLines || parts > maxParts) return true
    start = end + 1
  }
  return false
}

/**
 * Matches two dashes and a boundary. A line of only dashes is a rule, and two dashes with a space start a signature.
 */
const isDelimiter = (bytes: Buffer, start: number, end: number): boolean => {
  if (end - start < 3 || bytes[start] !== dash || bytes[start + 1] !== dash) return false
  for (let at = start + 2; at < end; at++) {
    const byte = bytes[at]
    if (byte !== dash && byte !== space && byte !== carriageReturn) return true
  }
  return false
}

const lineFeed = 0x0A
const carriageReturn = 0x0D
const space = 0x20
const dash = 0x2D

const encodedLineLength = 72
const maxLines = 100_000
const maxParts = 1000
