import { assert, describe, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { layer } from "@trailbook/sqlite"
import { open } from "@trailbook/sqlite/driver"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { org } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

const storage = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename })))

const count = Effect.map(Effect.flatMap(OrgStore, ({ all }) => all), ({ length }) => length)
const put = Effect.flatMap(OrgStore, ({ put }) => put(org()))
const run = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(UnitOfWork, ({ run }) => run(work))
const snapshot = <A, E, R>(reads: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, ({ snapshot }) => snapshot(reads))

describe("a transaction", () => {
  it.effect("leaves no changes if it is refused", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Effect.flip(run(Effect.zipRight(put, Effect.fail("refused")))), "refused")
      assert.strictEqual(yield* count, 0)
    }).pipe(Effect.provide(storage)))

  it.effect("leaves no changes if it is interrupted", () =>
    Effect.gen(function*() {
      const writeDone = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(run(put.pipe(
        Effect.zipRight(Deferred.succeed(writeDone, undefined)),
        Effect.zipRight(Effect.never)
      )))
      yield* Deferred.await(writeDone)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual(yield* count, 0)
      yield* run(put)
      assert.strictEqual(yield* count, 1)
    }).pipe(Effect.provide(storage)))

  it.effect("can be interrupted while it waits for another transaction", () =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.fork(run(Effect.zipRight(put, Deferred.await(end))))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(run(put))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      yield* run(put)
      assert.strictEqual(yield* count, 2)
    }).pipe(Effect.provide(storage)))

  it.effect("reads its own writes, which other readers cannot see", () =>
    Effect.gen(function*() {
      const ownCount = yield* Deferred.make<number>()
      const end = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(run(put.pipe(
        Effect.zipRight(Effect.flatMap(count, (rowCount) => Deferred.succeed(ownCount, rowCount))),
        Effect.zipRight(Deferred.await(end))
      )))
      assert.strictEqual(yield* Deferred.await(ownCount), 1)
      assert.strictEqual(yield* count, 0)
      assert.strictEqual(yield* snapshot(count), 0)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* count, 1)
    }).pipe(Effect.provide(storage)))

  it.effect("rolls back only its own work if it is nested and fails", () =>
    Effect.gen(function*() {
      yield* run(Effect.gen(function*() {
        yield* put
        yield* Effect.ignore(run(Effect.zipRight(put, Effect.fail("refused"))))
        yield* run(put)
      }))
      assert.strictEqual(yield* count, 2)
    }).pipe(Effect.provide(storage)))

  it.effect("commits nothing if a statement violates a constraint", () =>
    Effect.gen(function*() {
      const { id, slug } = org()
      const orgs = yield* OrgStore
      const exit = yield* Effect.exit(run(Effect.gen(function*() {
        yield* orgs.put(org(id))
        yield* Effect.catchAllDefect(orgs.put({ ...org(), slug }), () => Effect.void)
        return "done"
      })))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(yield* count, 0)
    }).pipe(Effect.provide(storage)))

  it.effect("takes the write lock of the file before its first statement", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFile
      const other = yield* open(filename, { timeout: 0 })
      yield* Effect.gen(function*() {
        const beginWrite = Effect.try({ try: () => other.exec("begin immediate"), catch: (error) => error })
        const rejection = yield* run(Effect.flip(beginWrite))
        assert.propertyVal(rejection, "code", "SQLITE_BUSY")
        yield* beginWrite
        other.exec("rollback")
      }).pipe(Effect.provide(layer({ filename })))
    }).pipe(Effect.scoped))

  it.effect("is not used by a fiber that outlives it", () =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<void>()
      const fiber = yield* run(Effect.fork(Effect.zipRight(Deferred.await(end), put)))
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* count, 1)
    }).pipe(Effect.provide(storage)))
})

describe("a snapshot", () => {
  it.effect("reads a consistent state without blocking writes", () =>
    Effect.gen(function*() {
      const firstCount = yield* Deferred.make<number>()
      const goOn = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(snapshot(Effect.gen(function*() {
        yield* Deferred.succeed(firstCount, yield* count)
        yield* Deferred.await(goOn)
        return yield* count
      })))
      assert.strictEqual(yield* Deferred.await(firstCount), 0)
      yield* run(put)
      assert.strictEqual(yield* count, 1)
      yield* Deferred.succeed(goOn, undefined)
      assert.strictEqual(yield* Fiber.join(fiber), 0)
      assert.strictEqual(yield* snapshot(count), 1)
    }).pipe(Effect.provide(storage)))

  it.effect("refuses writes", () =>
    Effect.gen(function*() {
      assert.isTrue(Exit.isFailure(yield* Effect.exit(snapshot(put))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(snapshot(run(put)))))
      assert.strictEqual(yield* count, 0)
    }).pipe(Effect.provide(storage)))

  it.effect("reads the writes of its enclosing transaction", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* run(Effect.zipRight(put, snapshot(count))), 1)
    }).pipe(Effect.provide(storage)))
})
