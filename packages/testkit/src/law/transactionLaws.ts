/**
 * All or nothing, joined, and seen at once. Where two fibers meet, they do so by
 * signals and not by luck; whether one of them has to wait for the other's unit
 * of work is left to the storage, but where a law says otherwise.
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { assert } from "vitest"
import { batches } from "./batches.ts"
import { type Law, law } from "./Law.ts"
import { openOrg } from "./settle.ts"
import * as Store from "./Store.ts"
import { addGuest, guests, touched, traces, untouched } from "./traces.ts"

/** A unit of work that ends like this leaves nothing, and the next one is not kept waiting. */
const leavesNothing = (
  end: (
    unit: Effect.Effect<void, never, Storage>,
    ending: Deferred.Deferred<void>
  ) => Effect.Effect<unknown, unknown, Storage>
): Law["check"] =>
() =>
  Effect.gen(function*() {
    const { leave, see } = yield* traces
    const written = yield* Deferred.make<void>()
    const unit = Effect.zipRight(leave, Deferred.succeed(written, undefined))
    yield* Effect.exit(end(Effect.asVoid(unit), written))
    assert.deepStrictEqual(yield* see, untouched)
    yield* Store.run(leave)
    assert.deepStrictEqual(yield* see, touched)
  })

/**
 * Interrupts a unit when it has written so many times. After the last of its
 * eleven writes it is about to commit; a twelfth never comes, so then it has ended.
 */
const interruptedAt = (writesDone: number): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const { see, writes } = yield* traces
    const reached = yield* Deferred.make<void>()
    const written = (count: number) =>
      count === writesDone ? Effect.zipRight(Deferred.succeed(reached, undefined), Effect.yieldNow()) : Effect.void
    const unit = Effect.forEach(writes, (write, at) => Effect.zipRight(write, written(at + 1)), { discard: true })
    const fiber = yield* Effect.fork(Store.run(Effect.zipRight(written(0), unit)))
    yield* Effect.raceFirst(Deferred.await(reached), Fiber.await(fiber))
    const exit = yield* Fiber.interrupt(fiber)
    const seen = yield* see
    assert.deepStrictEqual(seen, seen.org === touched.org ? touched : untouched)
    if (Exit.isSuccess(exit)) assert.deepStrictEqual(seen, touched)
    // It locks a row of the unit, and so waits for one that is still under way.
    yield* Store.run(see)
    assert.deepStrictEqual(yield* see, seen, "it went on after the interruption")
  })

const fails = <A>(exit: Exit.Exit<A, unknown>): void => assert.isTrue(Exit.isFailure(exit), "it succeeded")

/**
 * @category laws
 */
export const transactionLaws = [
  law(
    "transactions/commits",
    "what a unit of work stores is there when it has succeeded, and its answer comes out",
    function*() {
      const { leave, see } = yield* traces
      assert.deepStrictEqual(yield* see, untouched)
      assert.strictEqual(yield* Store.run(Effect.as(leave, "answer")), "answer")
      assert.deepStrictEqual(yield* see, touched)
    }
  ),

  law(
    "transactions/refusal",
    "a unit of work that is refused leaves nothing behind, and the refusal comes out",
    leavesNothing((unit) =>
      Effect.gen(function*() {
        const refusal = yield* Effect.flip(Store.run(Effect.zipRight(unit, Effect.fail("no" as const))))
        assert.strictEqual(refusal, "no")
      })
    )
  ),

  law(
    "transactions/defect",
    "a unit of work that dies leaves nothing behind",
    leavesNothing((unit) => Store.run(Effect.zipRight(unit, Effect.dieMessage("broken"))))
  ),

  law(
    "transactions/interruption",
    "a unit of work that is interrupted leaves nothing behind",
    leavesNothing((unit, written) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.fork(Store.run(Effect.zipRight(unit, Effect.never)))
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
      })
    )
  ),

  law(
    "transactions/interrupted-anywhere",
    "wherever a unit of work is interrupted, it ends before the interruption does, whole or without a trace",
    () => Effect.forEach(Array.from({ length: 13 }, (_, at) => at), interruptedAt, { discard: true })
  ),

  law(
    "transactions/outlived",
    "a fiber that outlives its unit of work is not told that something is stored which is not",
    function*() {
      for (const end of [Effect.void, Effect.fail("no")]) {
        const { id } = yield* openOrg
        const ended = yield* Deferred.make<void>()
        const late = yield* Deferred.make<Exit.Exit<void>>()
        const outliving = Effect.zipRight(Deferred.await(ended), Effect.exit(addGuest(id)))
        const fork = Effect.forkDaemon(Effect.intoDeferred(outliving, late))
        yield* Effect.exit(Store.run(Effect.zipRight(fork, end)))
        yield* Deferred.succeed(ended, undefined)
        const told = Exit.isSuccess(yield* Deferred.await(late)) ? 1 : 0
        assert.strictEqual(yield* guests(id), told)
      }
    }
  ),

  law("transactions/own-writes", "a unit of work sees what it has stored so far", function*() {
    const { leave, see } = yield* traces
    assert.deepStrictEqual(yield* Store.run(Effect.zipRight(leave, see)), touched)
  }),

  law(
    "transactions/joined",
    "work inside work is stored with it, and not when the work around it fails",
    function*() {
      const { leave, see } = yield* traces
      fails(yield* Effect.exit(Store.run(Effect.zipRight(Store.run(leave), Effect.fail("no")))))
      assert.deepStrictEqual(yield* see, untouched)
      yield* Store.run(Effect.zipRight(
        Store.run(leave),
        Effect.flatMap(see, (seen) => Effect.sync(() => assert.deepStrictEqual(seen, touched)))
      ))
      assert.deepStrictEqual(yield* see, touched)
    }
  ),

  law(
    "transactions/joined-refusal",
    "work inside work that fails is undone, whatever the work around it makes of that",
    function*() {
      const { leave, see } = yield* traces
      const { id } = yield* openOrg
      yield* Store.run(Effect.gen(function*() {
        yield* addGuest(id)
        fails(yield* Effect.exit(Store.run(Effect.zipRight(leave, Effect.fail("no")))))
        yield* addGuest(id)
      }))
      assert.deepStrictEqual(yield* see, untouched)
      assert.strictEqual(yield* guests(id), 2)
    }
  ),

  law("transactions/at-once", "from outside, a unit of work is seen whole or not at all", function*() {
    const { id } = yield* openOrg
    const begun = yield* Deferred.make<void>()
    const looked = yield* Deferred.make<void>()
    const look = Effect.tap(guests(id), () => Deferred.succeed(looked, undefined))
    const reader = yield* Effect.fork(
      Effect.zipRight(
        Deferred.await(begun),
        Effect.iterate({ seen: [] as ReadonlyArray<number>, left: 100 }, {
          while: ({ left, seen }) => left > 0 && seen.at(-1) !== 2,
          body: ({ left, seen }) =>
            Effect.map(Effect.delay(look, "2 millis"), (now) => ({ seen: [...seen, now], left: left - 1 }))
        })
      )
    )
    yield* Store.run(Effect.gen(function*() {
      yield* addGuest(id)
      yield* Deferred.succeed(begun, undefined)
      // A storage may have readers wait for the end of the unit, so the unit does not wait for ever.
      yield* Effect.timeoutOption(Deferred.await(looked), "250 millis")
      yield* addGuest(id)
    }))
    const { seen } = yield* Fiber.join(reader)
    assert.deepStrictEqual([...new Set(seen)].filter((count) => count !== 0), [2], "half of a unit was seen")
  }),

  law(
    "transactions/outside",
    "what is stored outside of any unit of work is there at once",
    function*() {
      const { leave, see } = yield* traces
      yield* leave
      assert.deepStrictEqual(yield* see, touched)
    }
  ),

  law(
    "transactions/one-call",
    "a call outside of any unit of work stores all of its rows or none",
    function*() {
      const { refused, see } = yield* batches
      for (const [what, write] of refused) assert.isTrue(Exit.isFailure(yield* Effect.exit(write)), what)
      assert.deepStrictEqual(yield* see, [0, 0, 0, 0, 0, 0])
    }
  )
]
