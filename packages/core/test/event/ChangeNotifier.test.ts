/**
 * Tests that watchers are notified of changes, and that the database is polled once per second for all watchers
 * together.
 */
import { assert, it } from "@effect/vitest"
import { ChangeNotifier } from "@trailbook/core/event/ChangeNotifier"
import { EventLog } from "@trailbook/core/port/EventLog"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"

/** A log that records how often it is queried, and for which org. */
const log = () => {
  const heads = new Map<string, number>()
  const queries: Array<ReadonlyArray<string>> = []
  const state = { works: true }
  const layer = Layer.mock(EventLog, {
    heads: (orgIds) =>
      Effect.suspend(() => {
        queries.push(orgIds)
        if (!state.works) return Effect.dieMessage("The database does not answer.")
        return Effect.succeed(orgIds.flatMap((orgId) => {
          const head = heads.get(orgId)
          return head === undefined ? [] : [{ orgId, head }]
        }))
      })
  })
  return {
    state,
    queries,
    move: (orgId: string) => heads.set(orgId, (heads.get(orgId) ?? 0) + 1),
    changes: Layer.provide(ChangeNotifier.layer, layer)
  }
}

/** Lets all runnable fibers continue. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)

const seconds = (count: number) => Effect.repeatN(Effect.zipRight(TestClock.adjust("1 second"), settle), count - 1)

it.scoped("runs one query per second for any number of watchers", () => {
  const { queries, changes } = log()
  return Effect.gen(function*() {
    const { watch } = yield* ChangeNotifier
    yield* seconds(60)
    assert.strictEqual(queries.length, 0)

    const tabs = yield* Scope.make()
    const all = yield* Effect.forEach(
      Array.from({ length: 500 }, (_, nth) => `org ${nth % 20}`),
      (orgId) => Effect.fork(Scope.extend(Effect.flatMap(watch(orgId), ({ next }) => next(0)), tabs))
    )
    yield* settle
    assert.strictEqual(queries.length, 1)
    queries.length = 0
    yield* seconds(60)
    assert.strictEqual(queries.length, 60)
    for (const orgIds of queries) assert.deepStrictEqual([orgIds.length, new Set(orgIds).size], [20, 20])

    yield* Fiber.interruptAll(all)
    yield* Scope.close(tabs, Exit.void)
    queries.length = 0
    yield* seconds(60)
    assert.strictEqual(queries.length, 0)
  }).pipe(Effect.provide(changes))
})

it.scoped("notifies watchers only of their outfitter's changes, within a second", () => {
  const { changes, move } = log()
  return Effect.gen(function*() {
    const { watch } = yield* ChangeNotifier
    const [one, other] = yield* Effect.all([watch("one"), watch("other")])
    assert.deepStrictEqual(yield* Effect.all([one.next(undefined), other.next(undefined)]), [0, 0])
    const [nextHead, otherHead] = yield* Effect.all([Effect.fork(one.next(0)), Effect.fork(other.next(0))])
    yield* seconds(5)
    assert.isNull(nextHead.unsafePoll())
    move("one")
    move("one")
    yield* seconds(1)
    assert.strictEqual(yield* Fiber.join(nextHead), 2)
    assert.strictEqual(yield* one.next(1), 2)
    yield* seconds(5)
    assert.isNull(otherHead.unsafePoll())
    yield* Fiber.interrupt(otherHead)
  }).pipe(Effect.provide(changes))
})

it.scoped("runs no extra query if a watcher leaves and returns within a second", () => {
  const { queries, changes } = log()
  return Effect.gen(function*() {
    const { watch } = yield* ChangeNotifier
    for (let times = 0; times < 50; times++) {
      yield* Effect.scoped(Effect.zipRight(watch("org"), settle))
      yield* TestClock.adjust("100 millis")
    }
    assert.isAtMost(queries.length, 6)
  }).pipe(Effect.provide(changes))
})

it.scoped("queries the database for the change counter only if there are no watchers", () => {
  const { queries, changes, move } = log()
  return Effect.gen(function*() {
    const { head, watch } = yield* ChangeNotifier
    assert.strictEqual(yield* head("org"), 0)
    move("org")
    assert.strictEqual(yield* head("org"), 1)
    const { next } = yield* watch("org")
    assert.strictEqual(yield* next(undefined), 1)
    queries.length = 0
    assert.strictEqual(yield* head("org"), 1)
    assert.strictEqual(queries.length, 0)
  }).pipe(Effect.provide(changes))
})

it.scoped("notifies watchers about a change once the database is available again", () => {
  const { changes, move, state } = log()
  return Effect.gen(function*() {
    const { watch } = yield* ChangeNotifier
    const { next } = yield* watch("org")
    assert.strictEqual(yield* next(undefined), 0)
    const nextHead = yield* Effect.fork(next(0))
    state.works = false
    move("org")
    yield* seconds(5)
    assert.isNull(nextHead.unsafePoll())
    state.works = true
    yield* seconds(1)
    assert.strictEqual(yield* Fiber.join(nextHead), 1)
  }).pipe(Effect.provide(changes))
})

it.scoped("notifies waiting watchers when the service stops", () => {
  const { changes } = log()
  return Effect.gen(function*() {
    const life = yield* Scope.make()
    const { watch } = yield* Effect.flatMap(
      Layer.buildWithScope(changes, life),
      (context) => Effect.provide(ChangeNotifier, context)
    )
    const { next } = yield* watch("org")
    assert.strictEqual(yield* next(undefined), 0)
    const waiter = yield* Effect.fork(next(0))
    yield* settle
    yield* Scope.close(life, Exit.void)
    assert.isUndefined(yield* Fiber.join(waiter))
    assert.isUndefined(yield* next(0))
  })
})
