/**
 * Of how many parts a picture may be. Real ones have some hundred; one of millions
 * would keep everybody waiting while it is read.
 *
 * @category constants
 */
export const mostParts = 50_000

/**
 * Bytes of which some are left out: those that stay are moved to the beginning, one
 * part behind the other, so that no second room is needed for them. Parts are kept in
 * their order, and what is written in the place of a part is no longer than it was.
 *
 * @category models
 */
export class SparseBytes {
  readonly #bytes: Uint8Array
  #end = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** What was kept so far. */
  get kept(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }

  keep(begin: number, end: number): void {
    if (begin > this.#end) this.#bytes.copyWithin(this.#end, begin, end)
    this.#end += end - begin
  }

  /** Puts bytes in the place of the part from `begin` to `end`, or nothing where they do not fit. */
  replace(begin: number, end: number, bytes: Uint8Array | undefined): void {
    if (bytes === undefined || bytes.length > end - begin) return
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }
}
