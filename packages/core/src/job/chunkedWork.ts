/**
 * Runs work that is too large for one transaction in chunks. Each chunk is its own transaction and records its
 * progress, so that the work can be resumed. Per storage, only one chunk runs at a time. Other requests therefore wait
 * for at most one chunk, regardless of the number of cancellations, erasures, and broadcasts in progress.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TransactionContext } from "../port/TransactionContext.ts"
import type { UnitOfWork } from "../port/UnitOfWork.ts"
import { monotonicMillis } from "../time/monotonicMillis.ts"

/** Keyed by storage, because the services of a request and of a worker are separate but can share a storage. */
const turns = new WeakMap<UnitOfWork["Type"], Effect.Semaphore>()

/**
 * Runs a chunk when no other is running. Inside a transaction of the host it runs immediately, because the running
 * chunk may wait for that transaction.
 */
export const withChunkLock = (storage: UnitOfWork["Type"]) => {
  const known = turns.get(storage) ?? Effect.unsafeMakeSemaphore(1)
  turns.set(storage, known)
  return <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(TransactionContext, (enclosing) => enclosing?.owner === "host" ? part : known.withPermits(1)(part))
}

/**
 * Runs chunks one after another, each from the cursor that the previous one returned, until none is left or, checked
 * between two chunks, `over` is true. Returns whether the work is finished. Sleeps after each chunk for as long as the
 * chunk took, so that other requests get half of the time.
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
 * Maximum number of rows that a chunk changes, or of guests that it writes to. Work up to this size runs in one
 * transaction. A row can contain 20 KB of an outfitter's notes, so 20 rows block SQLite for about 20 ms.
 */
export class ChunkSize extends Context.Reference<ChunkSize>()("@trailbook/core/ChunkSize", {
  defaultValue: () => 20
}) {}

/** Returns an effect that checks whether this many milliseconds have passed. */
export const deadlineIn = (ms: number): Effect.Effect<Effect.Effect<boolean>> =>
  Effect.map(monotonicMillis, (now) => Effect.map(monotonicMillis, (then) => then - now >= ms))
