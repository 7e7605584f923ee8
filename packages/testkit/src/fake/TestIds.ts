/**
 * Deterministic `Ids`: a seed always produces the same IDs in the same order, so a run can be repeated and two storages
 * can be compared.
 *
 * Guarantees:
 * - The same seed produces the same sequence, and different seeds produce different sequences.
 * - IDs are unique UUIDv7 values in creation order.
 * - References, handles, and tokens have the same format and length as in production.
 * - The digest is SHA-256.
 *
 * The values are predictable, so use them only in tests.
 */
import { Ids } from "@trailbook/core/port"
import * as Layer from "effect/Layer"
import { makeRandomIntegers } from "./randomIntegers.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const hex = "0123456789abcdef"

/**
 * @example
 * import * as TestIds from "@trailbook/testkit/fake/TestIds"
 *
 * TestIds.make(1).reference() === TestIds.make(1).reference() // true
 */
export const make = (seed: number): Ids["Type"] => {
  const next = makeRandomIntegers(seed)
  const draw = (alphabet: string, length: number): string => {
    let text = ""
    for (let at = 0; at < length; at++) text += alphabet.charAt(next() % alphabet.length)
    return text
  }
  let uuidCount = 0
  return {
    // The result is a UUIDv7 with a counter instead of the time.
    uuid: () => {
      const count = (++uuidCount).toString(16).padStart(12, "0")
      return `${count.slice(0, 8)}-${count.slice(8)}-7${draw(hex, 3)}-${draw("89ab", 1)}${draw(hex, 3)}-${
        draw(hex, 12)
      }`
    },
    reference: () => draw(crockford, 8),
    handle: () => draw(base64url, 30),
    token: (length) => draw(base62, length),
    digest: sha256
  }
}

export const layer = (seed: number): Layer.Layer<Ids> => Layer.sync(Ids, () => make(seed))

/** Returns the first 32 bits of the fractional parts of the square or cube roots of the first primes. */
const fractions = (root: 2 | 3, count: number): ReadonlyArray<number> => {
  const values: Array<number> = []
  for (let candidate = 2; values.length < count; candidate++) {
    let prime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) prime &&= candidate % divisor !== 0
    const value = root === 2 ? Math.sqrt(candidate) : Math.cbrt(candidate)
    if (prime) values.push(((value - Math.floor(value)) * 2 ** 32) | 0)
  }
  return values
}

const initial = fractions(2, 8)
const constants = fractions(3, 64)

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

const compress = (state: ReadonlyArray<number>, block: DataView): ReadonlyArray<number> => {
  const words = Array.from({ length: 16 }, (_, at) => block.getUint32(at * 4))
  const word = (at: number): number => words[at] ?? 0
  for (let at = 16; at < 64; at++) {
    const [early, late] = [word(at - 15), word(at - 2)]
    const mixedEarly = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3)
    const mixedLate = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10)
    words.push((word(at - 16) + mixedEarly + word(at - 7) + mixedLate) | 0)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const one =
      (h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + choice + (constants[at] ?? 0) + word(at)) | 0
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) | 0
    ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
  }
  return [a, b, c, d, e, f, g, h].map((value, at) => (value + (state[at] ?? 0)) | 0)
}

/**
 * Returns the SHA-256 digest (FIPS 180-4) of the text's UTF-8 bytes in lowercase hex. The kit must run on every
 * platform, and Web Crypto offers only an asynchronous digest. Services use their platform's implementation.
 */
const sha256 = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  // The padded input consists of the message, a 1 bit, zeros, and the length in bits as a 64-bit integer. Its size is a
  // multiple of 64 bytes.
  const padded = new Uint8Array((Math.ceil((bytes.length + 9) / 64)) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  let state = initial
  for (let at = 0; at < padded.length; at += 64) state = compress(state, new DataView(padded.buffer, at, 64))
  return state.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("")
}
