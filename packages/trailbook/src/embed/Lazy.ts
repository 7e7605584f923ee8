/**
 * Something that is made once, when it is first needed. When that fails, who
 * needed it is told, and the next one has it tried again.
 */
export class Lazy<A> {
  readonly #make: () => Promise<A>
  #made: Promise<A> | undefined

  constructor(make: () => Promise<A>) {
    this.#make = make
  }

  /** What there is, or is being made. */
  get made(): Promise<A> | undefined {
    return this.#made
  }

  get(): Promise<A> {
    if (this.#made !== undefined) return this.#made
    const made = this.#make().catch((error: unknown) => {
      if (this.#made === made) this.#made = undefined
      throw error
    })
    this.#made = made
    return made
  }

  /** The next who needs it has it made again. */
  forget(): void {
    this.#made = undefined
  }
}
