/**
 * The maximum number of parts in a picture. Real pictures have a few hundred, and millions would block the event loop.
 */
export const maxPictureParts = 50_000

/**
 * A buffer that removes parts of a file in place. Kept parts are moved to the front, so no second buffer is needed.
 * Parts must be kept in order, and a replacement must not be longer than the part that it replaces.
 */
export class SparseBytes {
  readonly #bytes: Uint8Array
  #end = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The bytes kept so far. */
  get kept(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }

  keep(begin: number, end: number): void {
    if (begin > this.#end) this.#bytes.copyWithin(this.#end, begin, end)
    this.#end += end - begin
  }

  /** Replaces the part from `begin` to `end`, or removes it if the replacement is missing or does not fit. */
  replace(begin: number, end: number, bytes: Uint8Array | undefined): void {
    if (bytes === undefined || bytes.length > end - begin) return
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }
}
