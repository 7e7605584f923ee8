/**
 * Chunked cancellations, erasures, and broadcasts leave the storage half of the time to other work, regardless of
 * their number.
 */
import { assert, it } from "@effect/vitest"
import { runInChunks } from "@trailbook/core/job/chunkedWork"
import type { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"

/** Only the identity of the storage matters. */
const storage = () => ({}) as UnitOfWork["Type"]

const partMs = 10
const parts = 5

/** Runs several chunked jobs concurrently. Returns the maximum concurrency of chunks and the total milliseconds. */
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

it.effect("runs one chunk at a time, and gives other work the same time after each chunk", () =>
  Effect.gen(function*() {
    const one = storage()
    const { most, tookMs } = yield* worked([one, one, one])
    assert.strictEqual(most, 1)
    // Every chunk except the last of each job is followed by a pause.
    assert.strictEqual(tookMs, 3 * (parts + parts - 1) * partMs)
  }))

it.effect("does not make work on one storage wait for work on another storage", () =>
  Effect.gen(function*() {
    const { most, tookMs } = yield* worked([storage(), storage(), storage()])
    assert.strictEqual(most, 3)
    assert.strictEqual(tookMs, (parts + parts - 1) * partMs)
  }))

it.effect("lets the next task run after a task fails", () =>
  Effect.gen(function*() {
    const inParts = runInChunks(storage())
    const failed = yield* Effect.exit(inParts(0, () => Effect.dieMessage("gone"), Effect.succeed(false)))
    assert.isTrue(failed._tag === "Failure")
    assert.isTrue(yield* inParts(0, () => Effect.succeed(undefined), Effect.succeed(false)))
  }))
