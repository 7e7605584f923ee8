import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * Things that a fiber makes and a promise takes, in their order. The maker waits
 * while as much is here as there may be, and goes on when some of it was taken.
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

  /** The size of what was made and not taken yet. */
  get size(): number {
    return this.#size
  }

  /** Ends when there is room for more. Nobody takes anything any more: then it is interrupted. */
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

  /** There is nothing more, or it failed. */
  end(exit: Exit.Exit<unknown, unknown>): void {
    this.#ended ??= exit
    this.#onThing?.()
  }

  /** The next thing, or `undefined` after the last one. Rejected with the cause when the maker failed; one at a time. */
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

  /** Nobody takes anything any more. */
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
