import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"

/**
 * Something that one may have at a time, in the order in which they came. A
 * semaphore of Effect gives what is free to whoever asks next, and who has just
 * had it asks before those who wait have woken up.
 */
export type FifoMutex = Effect.Effect<void, never, Scope.Scope>

export const make = (): FifoMutex => {
  let isTaken = false
  const waiting: Array<() => void> = []

  const leave = Effect.sync(() => {
    const next = waiting.shift()
    if (next === undefined) isTaken = false
    else next()
  })

  const turn = Effect.async<void>((resume) => {
    let isMine = false
    const begin = () => {
      isMine = true
      resume(Effect.void)
    }
    waiting.push(begin)
    return Effect.suspend(() => {
      // It was handed over at the very moment that its taker gave up.
      if (isMine) return leave
      waiting.splice(waiting.indexOf(begin), 1)
      return Effect.void
    })
  })

  return Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const mine = Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, leave))
      if (isTaken) return Effect.zipRight(restore(turn), mine)
      isTaken = true
      return mine
    })
  )
}
