/**
 * UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, then a counter of 12
 * bits, then 62 random ones.
 *
 * - Ids made one after the other compare in that order, also within a
 *   millisecond and when the clock is put back: rows of a table keyed by them
 *   are appended, not scattered.
 * - In each new millisecond the counter starts at random below its middle, so
 *   there is room to count and nothing to guess. When it overflows, the time
 *   in the id runs a millisecond ahead.
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
