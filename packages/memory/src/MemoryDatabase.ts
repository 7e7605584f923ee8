/**
 * Stores the tables and runs transactions on them.
 *
 * Each transaction changes its own draft of the tables. A `FiberRef` holds the draft. If the transaction succeeds, the
 * draft becomes the committed value. Otherwise, the draft is dropped. Readers outside the transaction see either all of
 * its writes or none of them, and a rollback costs nothing. Transactions run one at a time, and each draft starts from
 * the last committed value, so no update is lost.
 */
import { parallel, sequential } from "@trailbook/core/concurrency"
import type { UnitOfWork } from "@trailbook/core/port"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { empty, type Tables } from "./Tables.ts"

export class MemoryDatabase extends Context.Tag("@trailbook/memory/MemoryDatabase")<
  MemoryDatabase,
  {
    /** Reads the current transaction's draft, or the committed value outside a transaction. */
    readonly read: <A>(query: (tables: Tables) => A) => Effect.Effect<A>
    /**
     * Writes to the current transaction's draft, or to the committed value in a new transaction. Dies if `change`
     * throws.
     */
    readonly write: (change: (tables: Tables) => Tables) => Effect.Effect<void>
    readonly unitOfWork: UnitOfWork["Type"]
  }
>() {
  static readonly layer = Layer.effect(MemoryDatabase, Effect.suspend(() => makeGuarded))

  /**
   * A database without transactions. Concurrent work reads and writes the committed value directly, and nothing is
   * rolled back. Use it only for negative controls, where a race test must fail.
   */
  static readonly layerUnguarded = Layer.effect(MemoryDatabase, Effect.suspend(() => makeUnguarded))
}

type Unit =
  | { readonly _tag: "Draft"; tables: Tables; hasEnded: boolean }
  | { readonly _tag: "Snapshot"; readonly tables: Tables }

const makeGuarded = Effect.gen(function*() {
  const committedTables = yield* Ref.make(empty)
  const runExclusively = Effect.unsafeMakeSemaphore(1).withPermits(1)
  const current = FiberRef.unsafeMake<Unit | undefined>(undefined, { join: (parent) => parent })

  const begin = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const draft: Unit = { _tag: "Draft", tables: yield* Ref.get(committedTables), hasEnded: false }
        const markEnded = Effect.sync(() => {
          draft.hasEnded = true
        })
        const result = yield* Effect.ensuring(restore(Effect.locally(work, current, draft)), markEnded)
        yield* Ref.set(committedTables, draft.tables)
        return result
      })
    )

  /**
   * Runs nested work in the current transaction. If the nested work fails, its writes are rolled back, even if the
   * outer work catches the failure.
   */
  const join = <A, E, R>(draft: Extract<Unit, { _tag: "Draft" }>, work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const savedTables = draft.tables
      return Effect.onError(work, () =>
        Effect.sync(() => {
          draft.tables = savedTables
        }))
    })

  return MemoryDatabase.of({
    read: (query) =>
      Effect.flatMap(
        FiberRef.get(current),
        (unit) =>
          unit === undefined ? Effect.map(Ref.get(committedTables), query) : Effect.sync(() => query(unit.tables))
      ),
    write: (change) =>
      Effect.flatMap(FiberRef.get(current), (unit) => {
        if (unit === undefined) return runExclusively(Ref.update(committedTables, change))
        if (unit._tag === "Snapshot") return readOnly
        return Effect.sync(() => {
          // A forked fiber can outlive its transaction. Reject its late writes, because they would be lost.
          if (unit.hasEnded) throw new Error("The transaction has ended.")
          unit.tables = change(unit.tables)
        })
      }),
    unitOfWork: {
      queryAll: parallel,
      queryInOrder: sequential,
      assertCanWait: Effect.flatMap(
        FiberRef.get(current),
        (unit) =>
          unit?._tag === "Draft" ? Effect.dieMessage("Deadlock: the transaction would wait for itself.") : Effect.void
      ),
      run: (work) =>
        Effect.flatMap(FiberRef.get(current), (unit) => {
          if (unit === undefined) return runExclusively(begin(work))
          return unit._tag === "Snapshot" ? readOnly : join(unit, work)
        }),
      snapshot: (reads) =>
        Effect.flatMap(FiberRef.get(current), (unit) =>
          unit !== undefined
            ? reads
            : Effect.flatMap(
              Ref.get(committedTables),
              (tables) => Effect.locally(reads, current, { _tag: "Snapshot", tables })
            ))
    }
  })
})

const readOnly = Effect.dieMessage("Cannot write in a read-only snapshot.")

const makeUnguarded = Effect.gen(function*() {
  const committedTables = yield* Ref.make(empty)
  return MemoryDatabase.of({
    // Yield before every call, so that concurrent work interleaves the way it would with a real database.
    read: (query) => Effect.zipRight(Effect.yieldNow(), Effect.map(Ref.get(committedTables), query)),
    write: (change) => Effect.zipRight(Effect.yieldNow(), Ref.update(committedTables, change)),
    unitOfWork: {
      queryAll: parallel,
      queryInOrder: sequential,
      assertCanWait: Effect.void,
      run: (work) => work,
      snapshot: (reads) => reads
    }
  })
})
