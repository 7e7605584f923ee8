/**
 * Generates deterministic random values. The same seed produces the same bytes on every machine. Do not use the values
 * for secrets.
 */
import { createHash } from "node:crypto"

/** Returns a byte source that uses SHA-256 in counter mode. Each value of `about` produces a separate stream. */
export const makeSeededByteSource = (seed: number, about = ""): (n: number) => Uint8Array => {
  let blocks = 0
  let pool = new Uint8Array()
  return (n) => {
    while (pool.length < n) {
      const block = createHash("sha256").update(`trailbook demo ${seed} ${blocks++}${about}`).digest()
      pool = Uint8Array.from([...pool, ...block])
    }
    const bytes = pool.subarray(0, n)
    pool = pool.subarray(n)
    return bytes
  }
}

/** Picks an item with one random byte. The modulo bias is negligible for short lists like these. */
export const pickOne = <A>(items: ReadonlyArray<A>, bytes: (n: number) => Uint8Array): A => {
  const [item] = items.slice((bytes(1)[0] ?? 0) % items.length)
  if (item === undefined && items.length === 0) throw new Error("Cannot pick from an empty list.")
  return item as A
}

/** Shuffles the items with the Fisher–Yates algorithm. */
export const shuffle = <A>(items: ReadonlyArray<A>, bytes: (n: number) => Uint8Array): ReadonlyArray<A> => {
  const remainingItems = [...items]
  return items.flatMap(() => remainingItems.splice((bytes(1)[0] ?? 0) % remainingItems.length, 1))
}

/** Computes an idempotency key from the seed and a label. */
export const makeSeededKey = (seed: number, about: string): string => {
  const hex = Buffer.from(makeSeededByteSource(seed, about)(16)).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
