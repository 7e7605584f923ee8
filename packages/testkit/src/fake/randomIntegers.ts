/**
 * Creates a pseudorandom generator of integers from 0 to 2^32 - 1 (mulberry32). The same seed produces the same
 * sequence.
 */
export const makeRandomIntegers = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
