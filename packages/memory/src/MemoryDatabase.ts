/**
 * Where the tables are kept, and what a unit of work is over them.
 *
 * A unit works on a draft that its fiber carries; the draft becomes the
 * committed value when the unit succeeds and is forgotten when it does not. So
 * readers outside see all of a unit or nothing, and a rollback costs nothing.
 * Units run one after the other: a draft starts from what the unit before left,
 * and no change can be lost.
 */
import type { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { empty, type Tables } from "./Tables.ts"

export class MemoryDatabase extends Context.Tag("@trailbook/memory/MemoryDatabase")<
  MemoryDatabase,
  {
    /** Reads the draft of this fiber's unit, or else what is committed. */
    readonly read: <A>(query: (tables: Tables) => A) => Effect.Effect<A>
    /** Changes the draft of this fiber's unit; without one it is a unit of its own. A change that throws is a defect. */
    readonly write: (change: (tables: Tables) => Tables) => Effect.Effect<void>
    readonly unitOfWork: UnitOfWork["Type"]
  }
>() {
  static readonly layer = Layer.effect(MemoryDatabase, Effect.suspend(() => guarded))

  /**
   * Without any guard: units run at the same time over the committed value, all
   * see each other's half-done work, and nothing is undone. For controls only: a
   * test of a race has to fail here.
   */
  static readonly layerUnguarded = Layer.effect(MemoryDatabase, Effect.suspend(() => unguarded))
}

/** A port over the tables. */
export const storeLayer = <Self, Port>(
  port: Context.Tag<Self, Port>,
  make: (database: MemoryDatabase["Type"]) => NoInfer<Port>
): Layer.Layer<Self, never, MemoryDatabase> => Layer.effect(port, Effect.map(MemoryDatabase, make))

type Unit =
  | { readonly _tag: "Draft"; tables: Tables; over: boolean }
  | { readonly _tag: "Snapshot"; readonly tables: Tables }

const guarded = Effect.gen(function*() {
  const committed = yield* Ref.make(empty)
  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)
  const current = FiberRef.unsafeMake<Unit | undefined>(undefined, { join: (parent) => parent })

  const begin = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const draft: Unit = { _tag: "Draft", tables: yield* Ref.get(committed), over: false }
        const over = Effect.sync(() => {
          draft.over = true
        })
        const answer = yield* Effect.ensuring(restore(Effect.locally(work, current, draft)), over)
        yield* Ref.set(committed, draft.tables)
        return answer
      })
    )

  /** Work inside work joins it; when it fails, what it wrote is undone even if the work around it goes on. */
  const join = <A, E, R>(draft: Extract<Unit, { _tag: "Draft" }>, work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = draft.tables
      return Effect.onError(work, () =>
        Effect.sync(() => {
          draft.tables = before
        }))
    })

  return MemoryDatabase.of({
    read: (query) =>
      Effect.flatMap(
        FiberRef.get(current),
        (unit) => unit === undefined ? Effect.map(Ref.get(committed), query) : Effect.sync(() => query(unit.tables))
      ),
    write: (change) =>
      Effect.flatMap(FiberRef.get(current), (unit) => {
        if (unit === undefined) return oneAtATime(Ref.update(committed, change))
        if (unit._tag === "Snapshot") return readOnly
        return Effect.sync(() => {
          // A fiber that was forked inside a unit may outlive it; what it writes then would belong to nothing.
          if (unit.over) throw new Error("This unit of work is over.")
          unit.tables = change(unit.tables)
        })
      }),
    unitOfWork: {
      run: (work) =>
        Effect.flatMap(FiberRef.get(current), (unit) => {
          if (unit === undefined) return oneAtATime(begin(work))
          return unit._tag === "Snapshot" ? readOnly : join(unit, work)
        }),
      snapshot: (reads) =>
        Effect.flatMap(FiberRef.get(current), (unit) =>
          unit !== undefined
            ? reads
            : Effect.flatMap(Ref.get(committed), (tables) =>
              Effect.locally(reads, current, { _tag: "Snapshot", tables })))
    }
  })
})

const readOnly = Effect.dieMessage("Nothing may be written within a snapshot.")

const unguarded = Effect.gen(function*() {
  const committed = yield* Ref.make(empty)
  return MemoryDatabase.of({
    // Giving way before every call lets concurrent units take turns, as calls to a real database do.
    read: (query) => Effect.zipRight(Effect.yieldNow(), Effect.map(Ref.get(committed), query)),
    write: (change) => Effect.zipRight(Effect.yieldNow(), Ref.update(committed, change)),
    unitOfWork: { run: (work) => work, snapshot: (reads) => reads }
  })
})
