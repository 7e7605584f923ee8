/** Creates a value on first use and caches it. A failed creation is not cached, so the next `get()` retries. */
export class Lazy<A> {
  readonly #make: () => Promise<A>
  #made: Promise<A> | undefined

  constructor(make: () => Promise<A>) {
    this.#make = make
  }

  /** The cached or pending value, or undefined. */
  get made(): Promise<A> | undefined {
    return this.#made
  }

  get(): Promise<A> {
    if (this.#made !== undefined) return this.#made
    const promise = this.#make().catch((error: unknown) => {
      if (this.#made === promise) this.#made = undefined
      throw error
    })
    this.#made = promise
    return promise
  }

  /** Drops the cached value, so the next `get()` creates it again. */
  forget(): void {
    this.#made = undefined
  }
}
