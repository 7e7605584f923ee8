/**
 * Generates IDs from a byte source and a clock. Servers use the system's random generator, and the demo uses a seed.
 */
import type { Ids } from "@trailbook/core/port"
import { hash } from "node:crypto"
import { uuids } from "./uuids.ts"

/** The source of the random bytes and the time in generated IDs. */
export interface Source {
  /**
   * Returns the next `n` random bytes, where `n` is at most 1024. Use the bytes before the next call, which can
   * overwrite them.
   */
  readonly bytes: (n: number) => Uint8Array
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number
}

export const makeIds = (source: Source): Ids["Type"] => ({
  uuid: uuids(source),
  // Because 40 bits are exactly eight base-32 digits, all digits are equally likely.
  reference: () => {
    const bytes = source.bytes(5)
    let text = ""
    let bits = 0
    let value = 0
    for (const byte of bytes) {
      value = value << 8 | byte
      bits += 8
      for (; bits >= 5; bits -= 5) text += crockford.charAt(value >>> bits - 5 & 31)
      value &= (1 << bits) - 1
    }
    return text
  },
  // The timestamp prefix keeps handles from the same day adjacent in the index. With random handles, each booking would
  // dirty a separate page. The 128 random bits after the prefix make a handle unguessable.
  handle: () => {
    const bytes = Buffer.alloc(22)
    bytes.writeUIntBE(source.now(), 0, 6)
    bytes.set(source.bytes(16), 6)
    return bytes.toString("base64url")
  },
  token: (length) => {
    let text = ""
    while (text.length < length) {
      for (const byte of source.bytes(Math.min(length - text.length + 4, 1024))) {
        // Skip bytes of 248 (4 × 62) or more, because they would make the first eight digits more likely.
        if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
      }
    }
    return text
  },
  digest: (text) => hash("sha256", text, "hex")
})

// The alphabet excludes I, L, O, and U, which are easily read as 1, 1, 0, and V.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
