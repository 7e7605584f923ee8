import { assert, it } from "@effect/vitest"
import { CustomerStore } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import { EventLog } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { min } from "@trailbook/core/time/Instant"
import { script } from "@trailbook/testkit/generator/script"
import { readOrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { forAll } from "@trailbook/testkit/law/forAll"
import * as ScriptRunner from "@trailbook/testkit/law/ScriptRunner"
import { listUnclaimedTasks } from "@trailbook/testkit/law/task/tasks"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { layer } from "../src/JournalStorage.ts"
import { canary, eraseGuest, erasureSteps, eventText, guestOf } from "./guest.ts"
import { openJournal } from "./opened.ts"
import { temporaryFile } from "./temporaryFile.ts"

/** Returns all of an org's stored data in a fixed order. */
const contents = (orgId: string) => Effect.all([readOrgSnapshot(orgId), listUnclaimedTasks])

it.scopedLive("a reopened journal contains the same data as before", () =>
  forAll({ runs: 10, shrink: false }, script(40), (script) =>
    Effect.scoped(
      Effect.gen(function*() {
        const file = yield* temporaryFile
        const orgId = "00000000-0000-7000-8000-000000000001"
        const inJournal = <A>(work: Effect.Effect<A, never, Storage>) => Effect.provide(work, layer(file))
        const before = yield* inJournal(Effect.scoped(Effect.gen(function*() {
          const { play } = yield* ScriptRunner.open({
            orgId,
            script,
            seed: 1,
            batches: { concurrency: 1, maxBatchSize: 8 }
          })
          yield* Effect.forEach(script.steps, play)
          return yield* contents(orgId)
        })))
        assert.deepStrictEqual(yield* inJournal(contents(orgId)), before)
        // Opening rewrote the file in a different order, so read it again.
        assert.deepStrictEqual(yield* inJournal(contents(orgId)), before)
      }).pipe(Effect.orDie)
    )))

/** A journal with two transactions, and the position of the second transaction, which has two changes. */
const twoUnits = Effect.gen(function*() {
  const file = yield* temporaryFile
  const { put, run, storage } = yield* openJournal(file)
  yield* put("a")
  const secondAt = readFileSync(file).length
  const log = Effect.provide(EventLog, storage)
  yield* run(Effect.gen(function*() {
    yield* put("b")
    yield* (yield* log).append([{ orgId: "b", type: "org.updated", data: "né", person: null, createdAt: min }])
  }))
  return { bytes: readFileSync(file), secondAt }
})

const readBack = (bytes: Uint8Array) =>
  Effect.scoped(Effect.gen(function*() {
    const file = yield* temporaryFile
    writeFileSync(file, bytes)
    const { ids, storage } = yield* openJournal(file)
    const events = yield* Effect.provide(Effect.flatMap(EventLog, ({ latest }) => latest("b", 10)), storage)
    return { ids: yield* ids, events: events.length }
  }))

it.scopedLive("a journal drops its last transaction only if a crash truncated it", () =>
  Effect.gen(function*() {
    const { bytes, secondAt } = yield* twoUnits
    for (let cut = bytes.length - 1; cut >= secondAt; cut -= 3) {
      assert.deepStrictEqual(yield* readBack(bytes.subarray(0, cut)), { ids: ["a"], events: 0 }, `cut at ${cut}`)
    }
    assert.deepStrictEqual(yield* readBack(bytes), { ids: ["a", "b"], events: 1 })
  }))

it.scopedLive("a file that is damaged or not a journal is neither opened nor changed", () =>
  Effect.gen(function*() {
    const { bytes, secondAt } = yield* twoUnits
    const flipped = (at: number) => bytes.map((byte, index) => index === at ? byte ^ 1 : byte)
    const notes = new TextEncoder().encode("Buy new paddles.\n")
    for (const content of [flipped(secondAt - 20), flipped(bytes.length - 20), flipped(0), notes, new Uint8Array()]) {
      const file = yield* temporaryFile
      writeFileSync(file, content)
      const { _tag, message } = yield* Effect.flip(openJournal(file))
      assert.strictEqual(_tag, "CannotOpen")
      assert.include(message, file)
      assert.deepStrictEqual(new Uint8Array(readFileSync(file)), new Uint8Array(content))
    }
  }))

it.scopedLive("a journal cannot be opened twice at the same time", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    yield* Effect.scoped(Effect.gen(function*() {
      yield* openJournal(file)
      const { message } = yield* Effect.flip(openJournal(file))
      assert.strictEqual(message, `${file} is locked by process ${process.pid}.`)
    }))
    yield* Effect.scoped(openJournal(file))
    assert.deepStrictEqual(readdirSync(dirname(file)), ["river.journal"])
  }))

const holds = (file: string, word: string) => readFileSync(file, "utf8").includes(word)

it.scopedLive("the file contains no data about an erased guest", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    const { put, storage } = yield* openJournal(file)
    yield* put("a")
    const guest = yield* Effect.provide(guestOf("a"), storage)
    for (const [part, word] of [["row", canary], ["events", eventText]] as const) {
      assert.isTrue(holds(file, word))
      yield* Effect.provide(erasureSteps[part](guest), storage)
      assert.isFalse(holds(file, word))
    }
    assert.isFalse(existsSync(`${file}.new`))
  }))

it.scopedLive("an erasure that is rolled back erases nothing", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    const guests = (journal: Effect.Effect.Success<ReturnType<typeof openJournal>>) =>
      Effect.provide(
        Effect.flatMap(CustomerStore, ({ find }) => find([{ orgId: "a", id: "guest" }])),
        journal.storage
      ).pipe(Effect.map((rows: ReadonlyArray<Customer>) => rows.map(({ phone }) => phone)))
    yield* Effect.scoped(Effect.gen(function*() {
      const journal = yield* openJournal(file)
      yield* journal.put("a")
      const guest = yield* Effect.provide(guestOf("a"), journal.storage)
      const erase = Effect.provide(eraseGuest(guest), journal.storage)
      yield* Effect.flip(journal.run(Effect.zipRight(erase, Effect.fail("no"))))
      assert.deepStrictEqual(yield* guests(journal), [canary])
    }))
    assert.deepStrictEqual(yield* guests(yield* openJournal(file)), [canary])
  }))
