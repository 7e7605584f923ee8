/**
 * Ids out of a source of bytes and a clock. The server's source is the system's
 * generator, the demo's a seed; the shapes are the same.
 */
import type { Ids } from "@trailbook/core/port/Ids"
import { hash } from "node:crypto"
import { uuids } from "./uuids.ts"

/** Where chance and time come from. */
export interface Source {
  /** The next `n` random bytes, at most 1024. They are read before the next call, which may overwrite them. */
  readonly bytes: (n: number) => Uint8Array
  /** Epoch milliseconds. */
  readonly now: () => number
}

export const makeIds = (source: Source): Ids["Type"] => ({
  uuid: uuids(source),
  // 40 bits are eight digits of base 32, with nothing left over that could lean to one of them.
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
  // The millisecond goes first, so that the handles of a day lie side by side in their index: scattered, each booking
  // would write a page of it. The 128 bits after it are what nobody can guess.
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
        // 248 is four times 62: a byte beyond it would favour the first eight digits.
        if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
      }
    }
    return text
  },
  digest: (text) => hash("sha256", text, "hex")
})

// Without I, L, O and U, which are read as 1, 1, 0 and V.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
