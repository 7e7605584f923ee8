/**
 * A synchronous SHA-256 (FIPS 180-4) for fakes. The kit must run on every platform, and Web Crypto offers only an
 * asynchronous digest. Services use their platform's implementation.
 */

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

/** Returns the digest of the text's UTF-8 bytes in lowercase hex. */
export const sha256 = (text: string): string => {
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
