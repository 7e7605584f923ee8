/**
 * Chance that can be had again: the same seed gives the same bytes, on every
 * machine. Not for secrets.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"

/**
 * Bytes from SHA-256 in counter mode.
 *
 * @since 0.1.0
 * @category constructors
 */
export const seededBytes = (seed: number): (n: number) => Uint8Array => {
  let blocks = 0
  let left = new Uint8Array()
  return (n) => {
    while (left.length < n) {
      const block = createHash("sha256").update(`trailbook demo ${seed} ${blocks++}`).digest()
      left = Uint8Array.from([...left, ...block])
    }
    const bytes = left.subarray(0, n)
    left = left.subarray(n)
    return bytes
  }
}

/**
 * The same items in another order (Fisher and Yates). A byte picks the place; for
 * the few items of a story its slight leaning does not matter.
 *
 * @since 0.1.0
 * @category calculating
 */
export const shuffled = <A>(items: ReadonlyArray<A>, bytes: (n: number) => Uint8Array): ReadonlyArray<A> => {
  const left = [...items]
  return items.flatMap(() => left.splice((bytes(1)[0] ?? 0) % left.length, 1))
}
