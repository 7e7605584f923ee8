/**
 * Generates version 7 UUIDs (RFC 9562): 48 bits of milliseconds, a 12-bit counter, and 62 random bits.
 *
 * IDs sort in creation order, even within a millisecond and after the clock is set back. A table keyed by ID therefore
 * appends new rows at its end.
 *
 * Each new millisecond starts the counter at a random value below its midpoint, which leaves room to count and keeps
 * IDs unpredictable. If the counter overflows, the timestamp runs a millisecond ahead.
 */
import type { Source } from "./makeIds.ts"

export const uuids = (source: Source): () => string => {
  let millis = -1
  let time = ""
  let counter = 0
  const start = (at: number, count: number): void => {
    millis = at
    const digits = at.toString(16).padStart(12, "0")
    time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
    counter = count
  }
  return () => {
    const bytes = source.bytes(10)
    const byte = (at: number): string => hex[bytes[at] ?? 0] ?? ""
    const anyCount = (bytes[8] ?? 0) << 3 | (bytes[9] ?? 0) & 7
    const now = source.now()
    if (now > millis) start(now, anyCount)
    else if (counter < 0xfff) counter++
    else start(millis + 1, anyCount)
    const variant = hex[(bytes[0] ?? 0) & 0x3f | 0x80] ?? ""
    return `${time}${counter.toString(16).padStart(3, "0")}-${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}` +
      `${byte(5)}${byte(6)}${byte(7)}`
  }
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
