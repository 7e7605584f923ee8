/** Tests snapshot reads. A concurrent writer runs in another fiber, and the two synchronize through signals. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { dies } from "./dies.ts"
import { law } from "./Law.ts"
import { openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { addGuest, emptyTraces, fullTraces, guests, traces } from "./traces.ts"

/** A fiber outside any unit of work. It stores a customer on a signal. */
const storedMeanwhile = Effect.gen(function*() {
  const { id } = yield* openOrg
  const store = yield* Deferred.make<void>()
  const stored = yield* Deferred.make<void>()
  yield* Effect.forkDaemon(
    Deferred.await(store).pipe(
      Effect.zipRight(Store.run(addGuest(id))),
      Effect.zipRight(Deferred.succeed(stored, undefined))
    )
  )
  return { read: guests(id), store, stored }
})

export const snapshotLaws = [
  law(
    "transactions/snapshot",
    "reads a single point in time from a snapshot, regardless of concurrent writes",
    function*() {
      const { read, store, stored } = yield* storedMeanwhile
      yield* Store.snapshot(Effect.gen(function*() {
        assert.strictEqual(yield* read, 0)
        yield* Deferred.succeed(store, undefined)
        // Limit the wait, because a storage may block the writer.
        yield* Effect.timeoutOption(Deferred.await(stored), "200 millis")
        assert.strictEqual(yield* read, 0)
      }))
      yield* Deferred.await(stored)
      assert.strictEqual(yield* read, 1)
    }
  ),

  law("transactions/snapshot-waits-for-none", "lets writers continue while a snapshot is open", function*() {
    const { read, store, stored } = yield* storedMeanwhile
    yield* Store.snapshot(Effect.gen(function*() {
      assert.strictEqual(yield* read, 0)
      yield* Deferred.succeed(store, undefined)
      const waited = yield* Effect.timeoutOption(Deferred.await(stored), "2 seconds")
      assert.isTrue(Option.isSome(waited), "the writer waited for the end of the snapshot")
    }))
  }),

  law(
    "transactions/snapshot-read-only",
    "rejects writes within a snapshot and stores nothing, even from a transaction inside the snapshot",
    function*() {
      const { leave, see, writes } = yield* traces
      for (const write of writes) {
        for (const within of [write, Store.run(write)]) {
          yield* dies(Store.snapshot(within))
        }
      }
      assert.deepStrictEqual(yield* see, emptyTraces)
      // A failed snapshot must not block writers.
      yield* Store.run(leave)
      assert.deepStrictEqual(yield* see, fullTraces)
    }
  )
]
