/**
 * Work that is too large for one unit, in parts. Each part is a unit of work by
 * itself and writes down that it was done, so that whoever comes next goes on from
 * there. Of all work over one storage one part is done at a time: nobody waits longer
 * than for one, however many cancellations, erasures and broadcasts are under way.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Hosted } from "../port/Hosted.ts"
import type { UnitOfWork } from "../port/UnitOfWork.ts"
import { monotonicMillis } from "../time/monotonicMillis.ts"

/** A request and a worker may go on with different work over the same storage, each by services of its own. */
const turns = new WeakMap<UnitOfWork["Type"], Effect.Semaphore>()

/**
 * Does a part when no other is being done; at once within a transaction of the program,
 * for which whoever is at a part may wait.
 */
export const withChunkLock = (storage: UnitOfWork["Type"]) => {
  const known = turns.get(storage) ?? Effect.unsafeMakeSemaphore(1)
  turns.set(storage, known)
  return <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Hosted, (isHosted) => isHosted ? part : known.withPermits(1)(part))
}

/**
 * Runs parts one after the other, each from where the one before it ended, until
 * one says that nothing is left or, asked between two of them, it is `over`. Says
 * whether it came to the end. After each of them others get as much time as it has
 * taken.
 */
export const runInChunks = (storage: UnitOfWork["Type"]) => {
  const inTurn = withChunkLock(storage)
  return <At, E, R>(
    first: At,
    part: (at: At) => Effect.Effect<At | undefined, E, R>,
    over: Effect.Effect<boolean>
  ): Effect.Effect<boolean, E, R> =>
    Effect.gen(function*() {
      let at: At | undefined = first
      for (;;) {
        const from: At = at
        at = yield* inTurn(Effect.gen(function*() {
          const begunAt = yield* monotonicMillis
          const next = yield* part(from)
          if (next !== undefined) yield* Effect.sleep((yield* monotonicMillis) - begunAt)
          return next
        }))
        if (at === undefined) return true
        if (yield* over) return false
      }
    })
}

/**
 * How many rows a part changes, or how many guests it writes to. What is no larger is
 * done in one unit. A row may hold 20 KB of what an outfitter noted, so 20 are some 20 ms
 * in which SQLite does nothing else.
 */
export class ChunkSize extends Context.Reference<ChunkSize>()("@trailbook/core/ChunkSize", {
  defaultValue: () => 20
}) {}

/** Whether so many milliseconds have passed since now. */
export const deadlineIn = (ms: number): Effect.Effect<Effect.Effect<boolean>> =>
  Effect.map(monotonicMillis, (now) => Effect.map(monotonicMillis, (then) => then - now >= ms))
