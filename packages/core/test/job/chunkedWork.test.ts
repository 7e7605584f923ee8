/** However many cancellations, erasures and broadcasts are under way, others have the storage half of the time. */
import { assert, it } from "@effect/vitest"
import { runInChunks } from "@trailbook/core/job/chunkedWork"
import type { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"

/** What is told apart is whose it is; nothing of it is asked. */
const storage = () => ({}) as UnitOfWork["Type"]

const partMs = 10
const parts = 5

/** Works of some parts each, at the same time: how many of their parts ever were, and how many milliseconds all took. */
const worked = (over: ReadonlyArray<UnitOfWork["Type"]>) =>
  Effect.gen(function*() {
    let underWay = 0
    let most = 0
    const part = (at: number) =>
      Effect.gen(function*() {
        most = Math.max(most, ++underWay)
        yield* Effect.sleep(partMs)
        underWay--
        return at < parts ? at + 1 : undefined
      })
    const all = yield* Effect.fork(
      Effect.all(over.map((one) => runInChunks(one)(1, part, Effect.succeed(false))), { concurrency: "unbounded" })
    )
    let tookMs = 0
    while ((yield* Fiber.poll(all))._tag === "None") {
      yield* TestClock.adjust(partMs)
      tookMs += partMs
    }
    assert.deepStrictEqual(yield* Fiber.join(all), over.map(() => true))
    return { most, tookMs }
  })

it.effect("runs one chunk at a time and gives other work the same time after it", () =>
  Effect.gen(function*() {
    const one = storage()
    const { most, tookMs } = yield* worked([one, one, one])
    assert.strictEqual(most, 1)
    // All but the last of each are followed by a rest.
    assert.strictEqual(tookMs, 3 * (parts + parts - 1) * partMs)
  }))

it.effect("does not block work of different storages on each other", () =>
  Effect.gen(function*() {
    const { most, tookMs } = yield* worked([storage(), storage(), storage()])
    assert.strictEqual(most, 3)
    assert.strictEqual(tookMs, (parts + parts - 1) * partMs)
  }))

it.effect("passes the turn to the next task after a failure", () =>
  Effect.gen(function*() {
    const inParts = runInChunks(storage())
    const failed = yield* Effect.exit(inParts(0, () => Effect.dieMessage("gone"), Effect.succeed(false)))
    assert.isTrue(failed._tag === "Failure")
    assert.isTrue(yield* inParts(0, () => Effect.succeed(undefined), Effect.succeed(false)))
  }))
