import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"

/** A FIFO mutex. Effect's semaphore is not fair: the last holder can reacquire it before the waiting fibers wake up. */
export type FifoMutex = Effect.Effect<void, never, Scope.Scope>

export const make = (): FifoMutex => {
  let isTaken = false
  const waiting: Array<() => void> = []

  const leave = Effect.sync(() => {
    const next = waiting.shift()
    if (next === undefined) isTaken = false
    else next()
  })

  const waitForTurn = Effect.async<void>((resume) => {
    let isMine = false
    const begin = () => {
      isMine = true
      resume(Effect.void)
    }
    waiting.push(begin)
    return Effect.suspend(() => {
      // The mutex was handed over just before the waiting fiber was interrupted.
      if (isMine) return leave
      waiting.splice(waiting.indexOf(begin), 1)
      return Effect.void
    })
  })

  return Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const mine = Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, leave))
      if (isTaken) return Effect.zipRight(restore(waitForTurn), mine)
      isTaken = true
      return mine
    })
  )
}
