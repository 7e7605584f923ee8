import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { open } from "node:fs/promises"
import { vi } from "vitest"
import { eraseGuest, guestOf } from "./guest.ts"
import { openJournal } from "./opened.ts"
import { temporaryFile } from "./temporaryFile.ts"

type Sync = "sync" | "datasync"

/** Replaces the next disk flush with `answer`. */
const disk = (how: Sync, answer: () => Promise<void>) =>
  Effect.gen(function*() {
    const handle = yield* Effect.promise(() => open(import.meta.filename))
    const prototype: typeof handle = Object.getPrototypeOf(handle)
    yield* Effect.promise(() => handle.close())
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.spyOn(prototype, how).mockImplementationOnce(answer)),
      (spy) => Effect.sync(() => spy.mockRestore())
    )
  })

/** Makes the next disk flush wait for a signal before it is confirmed. */
const slowDisk = (how: Sync) =>
  Effect.gen(function*() {
    const request = yield* Deferred.make<void>()
    const completion = yield* Deferred.make<void>()
    yield* disk(how, () =>
      Effect.runPromise(Effect.zipRight(Deferred.succeed(request, undefined), Deferred.await(completion))))
    return { asked: Deferred.await(request), finish: Deferred.succeed(completion, undefined) }
  })

it.scopedLive("a write completes only after it is on disk", () =>
  Effect.gen(function*() {
    const { ids, put } = yield* openJournal(yield* temporaryFile)
    const slow = yield* slowDisk("datasync")
    const fiber = yield* Effect.fork(put("a"))
    yield* slow.asked
    assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)), "the operation returned before the sync")
    assert.deepStrictEqual(yield* ids, [])
    yield* slow.finish
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(yield* ids, ["a"])
  }))

it.scopedLive("an erasure completes only after the new file is synced to disk", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    const { put, storage } = yield* openJournal(file)
    yield* put("a")
    const guest = yield* Effect.provide(guestOf("a"), storage)
    const before = readFileSync(file, "utf8")
    const content = yield* slowDisk("sync")
    const fiber = yield* Effect.fork(Effect.provide(eraseGuest(guest), storage))
    yield* content.asked
    assert.strictEqual(readFileSync(file, "utf8"), before)
    const name = yield* slowDisk("sync")
    yield* content.finish
    yield* name.asked
    assert.notStrictEqual(readFileSync(file, "utf8"), before)
    assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)), "the operation returned before the sync")
    yield* name.finish
    yield* Fiber.join(fiber)
  }).pipe(Effect.timeout("10 seconds")))

it.scopedLive("a transaction that is interrupted during its write is still stored completely", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    yield* Effect.scoped(Effect.gen(function*() {
      const { ids, put, run } = yield* openJournal(file)
      const slow = yield* slowDisk("datasync")
      const fiber = yield* Effect.fork(run(Effect.zipRight(put("a"), put("b"))))
      yield* slow.asked
      const interruption = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* slow.finish
      yield* Fiber.join(interruption)
      assert.deepStrictEqual(yield* ids, ["a", "b"])
    }))
    assert.deepStrictEqual(yield* (yield* openJournal(file)).ids, ["a", "b"])
  }))

const dies = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "did not die"))

it.scopedLive("the journal stores nothing after a failed disk write until it is reopened", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    yield* Effect.scoped(Effect.gen(function*() {
      const { ids, put } = yield* openJournal(file)
      yield* put("a")
      yield* disk("datasync", () => Promise.reject(new Error("EIO")))
      yield* dies(put("b"))
      yield* dies(put("c"))
      assert.deepStrictEqual(yield* ids, ["a"])
    }))
    const { ids, put } = yield* openJournal(file)
    assert.deepStrictEqual(yield* ids, ["a", "b"])
    yield* put("c")
    assert.deepStrictEqual(yield* ids, ["a", "b", "c"])
  }))

it.scopedLive("an erasure that cannot be written leaves the file unchanged", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    yield* Effect.scoped(Effect.gen(function*() {
      const { put, storage } = yield* openJournal(file)
      yield* put("a")
      const guest = yield* Effect.provide(guestOf("a"), storage)
      const before = readFileSync(file, "utf8")
      // The new file is written to this path first.
      mkdirSync(`${file}.new`)
      yield* dies(Effect.provide(eraseGuest(guest), storage))
      rmdirSync(`${file}.new`)
      assert.strictEqual(readFileSync(file, "utf8"), before)
    }))
    assert.deepStrictEqual(yield* (yield* openJournal(file)).ids, ["a"])
  }))

it.scopedLive("the file contains no changes from a failed nested transaction", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    yield* Effect.scoped(Effect.gen(function*() {
      const { put, run } = yield* openJournal(file)
      yield* run(Effect.gen(function*() {
        yield* put("a")
        yield* Effect.flip(run(Effect.zipRight(put("b"), Effect.fail("no"))))
        yield* put("c")
      }))
    }))
    assert.deepStrictEqual(yield* (yield* openJournal(file)).ids, ["a", "c"])
  }))

it.scopedLive("a snapshot refuses writes", () =>
  Effect.gen(function*() {
    const { ids, put, run, snapshot } = yield* openJournal(yield* temporaryFile)
    yield* dies(snapshot(put("a")))
    yield* dies(snapshot(run(put("a"))))
    assert.deepStrictEqual(yield* ids, [])
  }))

it.scopedLive("a rollback on one journal does not undo changes to another", () =>
  Effect.gen(function*() {
    const one = yield* openJournal(yield* temporaryFile)
    const two = yield* openJournal(yield* temporaryFile)
    const both = Effect.zipRight(one.put("a"), two.put("b"))
    yield* Effect.flip(one.run(Effect.zipRight(two.run(both), Effect.fail("no"))))
    assert.deepStrictEqual(yield* one.ids, [])
    assert.deepStrictEqual(yield* two.ids, ["b"])
  }))

it.scopedLive("a fiber that outlives the transaction that started it writes outside that transaction", () =>
  Effect.gen(function*() {
    const { ids, put, run } = yield* openJournal(yield* temporaryFile)
    const over = yield* Deferred.make<void>()
    const late = yield* run(Effect.forkDaemon(Effect.zipRight(Deferred.await(over), put("late"))))
    yield* Deferred.succeed(over, undefined)
    yield* Fiber.join(late)
    assert.deepStrictEqual(yield* ids, ["late"])
  }))
