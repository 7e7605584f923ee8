import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * A bounded queue between a fiber that produces items and a promise that consumes them. The producer waits while the
 * queue is full.
 */
export class Handover<A> {
  readonly #sizeOf: (thing: A) => number
  readonly #most: number
  #things: Array<A> = []
  #size = 0
  #ended: Exit.Exit<unknown, unknown> | undefined
  #stopped = false
  #onRoom: (() => void) | undefined
  #onThing: (() => void) | undefined

  constructor(most: number, sizeOf: (thing: A) => number = () => 1) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** The total size of the queued items. */
  get size(): number {
    return this.#size
  }

  /** Adds an item, and completes when there is capacity for more. Interrupted if the consumer has stopped. */
  give(thing: A): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#stopped) return Effect.interrupt
      this.#things.push(thing)
      this.#size += this.#sizeOf(thing)
      this.#onThing?.()
      if (this.#size < this.#most) return Effect.void
      return Effect.async<void>((resume) => {
        this.#onRoom = () => resume(this.#stopped ? Effect.interrupt : Effect.void)
        return Effect.sync(() => {
          this.#onRoom = undefined
        })
      })
    })
  }

  /** Ends the queue after the last item, or fails it. */
  end(exit: Exit.Exit<unknown, unknown>): void {
    this.#ended ??= exit
    this.#onThing?.()
  }

  /**
   * Returns the next item, or `undefined` after the last one. Rejects with the cause if the producer failed. Calls must
   * not overlap.
   */
  async take(): Promise<A | undefined> {
    while (this.#things.length === 0) {
      if (this.#ended !== undefined) {
        if (Exit.isFailure(this.#ended)) throw this.#ended.cause
        return undefined
      }
      await new Promise<void>((resolve) => {
        this.#onThing = resolve
      })
      this.#onThing = undefined
    }
    const thing = this.#things.shift() as A
    this.#size -= this.#sizeOf(thing)
    if (this.#size < this.#most) this.#makeRoom()
    return thing
  }

  /** Stops the consumer. Queued items are dropped. */
  stop(): void {
    this.#stopped = true
    this.#things = []
    this.#size = 0
    this.#makeRoom()
  }

  #makeRoom(): void {
    const onRoom = this.#onRoom
    this.#onRoom = undefined
    onRoom?.()
  }
}
