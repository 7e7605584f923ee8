/**
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Configuration } from "./configurationOf.ts"
import { open, type Opened, type Services } from "./Opened.ts"

/**
 * A database that is opened when it is first needed. When that fails, who needed
 * it is told, and the next one tries again: a program may start before its
 * database does.
 *
 * @since 0.1.0
 * @category models
 */
export class Lifecycle {
  readonly #configuration: Configuration
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #opening: Promise<Opened> | undefined
  #closing: Promise<void> | undefined

  constructor(configuration: Configuration) {
    this.#configuration = configuration
  }

  /** Aborted when it is closed. */
  get ended(): AbortSignal {
    return this.#ending.signal
  }

  async opened(): Promise<Opened> {
    if (this.#closing !== undefined) throw new Error("Trailbook is closed.")
    this.#opening ??= open(this.#configuration).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  run<A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> {
    return this.during(async () => (await this.opened()).run(effect))
  }

  /** Does something that comes to its end before the database is given back. */
  async during<A>(work: () => Promise<A>): Promise<A> {
    const promise = work()
    this.#underWay.add(promise)
    try {
      return await promise
    } finally {
      this.#underWay.delete(promise)
    }
  }

  /** Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#underWay)
    // One that could not be opened has nothing to close, and who needed it knows.
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.close()
  }
}
