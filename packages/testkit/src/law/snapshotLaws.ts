/**
 * Reads of one moment. Whoever writes meanwhile is another fiber, and the two
 * meet by signals.
 */
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { law } from "./Law.ts"
import { openOrg } from "./settle.ts"
import { addGuest, guests, touched, traces, untouched } from "./traces.ts"

/** Another fiber, of no unit, that stores a guest when it is told to. */
const storedMeanwhile = Effect.gen(function*() {
  const { run } = yield* UnitOfWork
  const { id } = yield* openOrg
  const store = yield* Deferred.make<void>()
  const stored = yield* Deferred.make<void>()
  yield* Effect.forkDaemon(
    Deferred.await(store).pipe(
      Effect.zipRight(run(addGuest(id))),
      Effect.zipRight(Deferred.succeed(stored, undefined))
    )
  )
  return { read: guests(id), store, stored }
})

/**
 * @category laws
 */
export const snapshotLaws = [
  law(
    "transactions/snapshot",
    "reads of a snapshot see one moment, whatever is stored meanwhile",
    function*() {
      const { snapshot } = yield* UnitOfWork
      const { read, store, stored } = yield* storedMeanwhile
      yield* snapshot(Effect.gen(function*() {
        assert.strictEqual(yield* read, 0)
        yield* Deferred.succeed(store, undefined)
        // A storage may make the writer wait; then this is how long it waits.
        yield* Effect.timeoutOption(Deferred.await(stored), "200 millis")
        assert.strictEqual(yield* read, 0)
      }))
      yield* Deferred.await(stored)
      assert.strictEqual(yield* read, 1)
    }
  ),

  law("transactions/snapshot-waits-for-none", "a snapshot keeps nobody from writing", function*() {
    const { snapshot } = yield* UnitOfWork
    const { read, store, stored } = yield* storedMeanwhile
    yield* snapshot(Effect.gen(function*() {
      assert.strictEqual(yield* read, 0)
      yield* Deferred.succeed(store, undefined)
      const waited = yield* Effect.timeoutOption(Deferred.await(stored), "2 seconds")
      assert.isTrue(Option.isSome(waited), "the writer waits for the snapshot to end")
    }))
  }),

  law(
    "transactions/snapshot-read-only",
    "what is written within a snapshot is refused and leaves nothing, also in a unit of work within it",
    function*() {
      const { run, snapshot } = yield* UnitOfWork
      const { leave, see, writes } = yield* traces
      for (const write of writes) {
        for (const within of [write, run(write)]) {
          const exit = yield* Effect.exit(snapshot(within))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "it was stored")
        }
      }
      assert.deepStrictEqual(yield* see, untouched)
      // Nor does a snapshot that was refused keep anybody from writing.
      yield* run(leave)
      assert.deepStrictEqual(yield* see, touched)
    }
  )
]
