/** Tests that files are deleted after a day without a message or once their guest is erased. */
import { it } from "@effect/vitest"
import { BookingWriter } from "@trailbook/core/booking"
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { CustomerErasure } from "@trailbook/core/customer/erasure/CustomerErasure"
import { Attachments, FileStore, toStorageKey } from "@trailbook/core/file"
import { attachFiles } from "@trailbook/core/file/Attachments"
import { TaskHandlers } from "@trailbook/core/handler"
import { coreLayer } from "@trailbook/core/layer"
import { Checkouts } from "@trailbook/core/payment"
import { Ids, UnitOfWork } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import { fileCleanupJob } from "@trailbook/worker/job/maintenance"
import { makeTaskJob } from "@trailbook/worker/job/taskJob"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { assert } from "vitest"

const checkouts = Layer.provide(Checkouts.layer, BookingWriter.layer("none"))

const world = Layer.mergeAll(
  coreLayer({ batches: "none" }),
  TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)),
  Attachments.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(Memory.layer, FakeMailer.layer, FakeFiles.layer, FakePayments.layer, TestIds.layer(1), layerNone)
  )
)

const jobs = Effect.all([fileCleanupJob, makeTaskJob("own")])

const upload = (orgId: string, name: string) =>
  Effect.flatMap(Attachments, ({ keep }) => keep({ orgId, name, bytes: Buffer.from(`%PDF-1.7 ${name}`) }))

const storedKeys = Effect.flatMap(
  FakeFiles,
  ({ contents }) => Effect.map(contents, (files) => [...files.keys()].sort())
)

/** Stores a message in a customer's conversation. */
const messageTo = (orgId: string, customerId: string) =>
  Effect.gen(function*() {
    const ids = yield* Ids
    const createdAt = yield* currentTime
    const conversation = Conversation.make({ id: ids.uuid(), orgId, customerId, token: ids.handle(), createdAt })
    yield* (yield* ConversationStore).put([conversation])
    const message = Message.make({
      id: ids.uuid(),
      orgId,
      conversationId: conversation.id,
      customerId,
      direction: "to_guest",
      body: "See the map.",
      sentBy: "api",
      channel: "email",
      createdAt
    })
    yield* (yield* MessageStore).put([message])
    return message
  })

it.effect("the worker deletes an upload after a day if no message contains it", () =>
  Effect.gen(function*() {
    const { customer, org: { id: orgId } } = yield* seedOneOfEachResource
    const message = yield* messageTo(orgId, customer.id)
    const [unused, attached] = [yield* upload(orgId, "a"), yield* upload(orgId, "b")]
    const { run } = yield* UnitOfWork
    yield* run(attachFiles(yield* FileStore)(orgId, [{ id: attached.id, name: "map.pdf" }], message.id))
    yield* TestClock.adjust("23 hours")
    yield* Worker.runUntilIdle(jobs)
    assert.deepStrictEqual(yield* storedKeys, [toStorageKey(unused), toStorageKey(attached)].sort())
    yield* TestClock.adjust("1 hour")
    const summary = yield* Worker.runUntilIdle(jobs)
    assert.deepStrictEqual(summary["file-cleanup"], { removed: 1 })
    yield* Worker.runUntilIdle(jobs)
    assert.deepStrictEqual(yield* storedKeys, [toStorageKey(attached)])
    const { find } = yield* Attachments
    assert.strictEqual((yield* find(attached)).name, "map.pdf")
    assert.strictEqual((yield* Effect.flip(find(unused))).code, "not_found")
  }).pipe(Effect.provide(world)))

it.effect("the worker retries until an erased guest's files are deleted", () =>
  Effect.gen(function*() {
    const { customer, org: { id: orgId } } = yield* seedOneOfEachResource
    const message = yield* messageTo(orgId, customer.id)
    const files = yield* Effect.all([upload(orgId, "a"), upload(orgId, "b")])
    const { run } = yield* UnitOfWork
    yield* run(attachFiles(yield* FileStore)(orgId, files, message.id))
    yield* (yield* CustomerErasure).erase({ orgId, id: customer.id })
    // The files are inaccessible immediately. Their bytes are deleted later.
    assert.deepStrictEqual(yield* (yield* FileStore).ofMessages(orgId, [message.id]), [])
    const { refuse } = yield* FakeFiles
    yield* refuse(true)
    yield* Worker.runUntilIdle(jobs)
    assert.lengthOf(yield* storedKeys, 2)
    yield* refuse(false)
    yield* TestClock.adjust("1 hour")
    yield* Worker.runUntilIdle(jobs)
    assert.deepStrictEqual(yield* storedKeys, [])
  }).pipe(Effect.provide(world)))

it.effect("attachFiles attaches all files in order, or none if one is refused", () =>
  Effect.gen(function*() {
    const { customer, org: { id: orgId } } = yield* seedOneOfEachResource
    const [message, other] = [yield* messageTo(orgId, customer.id), "another"]
    const files = yield* Effect.all([upload(orgId, "a"), upload(orgId, "b"), upload(orgId, "c")])
    const [a, b, c] = files.map(({ id }) => id) as [string, string, string]
    const store = yield* FileStore
    const { run } = yield* UnitOfWork
    const use = (ids: ReadonlyArray<string>, messageId: string) =>
      run(attachFiles(store)(orgId, ids.map((id) => ({ id, name: `${id}!` })), messageId))
    yield* use([c, a], message.id)
    yield* use([c, a], message.id)
    const names = Effect.map(store.ofMessages(orgId, [message.id]), (all) => all.map(({ name }) => name))
    assert.deepStrictEqual(yield* names, [`${c}!`, `${a}!`])
    for (
      const [ids, messageId, code] of [
        [[b, a], other, "attachment_used"],
        [[b, b], other, "attachment_used"],
        [[b, "00000000-0000-7000-8000-00000000ffff"], other, "not_found"]
      ] as const
    ) {
      assert.strictEqual((yield* Effect.flip(use(ids, messageId))).code, code)
    }
    assert.deepStrictEqual(yield* store.ofMessages(orgId, [other]), [])
    assert.deepStrictEqual(yield* names, [`${c}!`, `${a}!`])
  }).pipe(Effect.provide(world)))

it.effect("a failed upload leaves no file or row behind", () =>
  Effect.gen(function*() {
    const { org: { id: orgId } } = yield* seedOneOfEachResource
    const { refuse } = yield* FakeFiles
    yield* refuse(true)
    assert.strictEqual((yield* Effect.flip(upload(orgId, "a"))).code, "unavailable")
    yield* refuse(false)
    assert.deepStrictEqual(yield* storedKeys, [])
    // If deleting the bytes also failed, the row would still identify them a day later.
    yield* TestClock.adjust("2 days")
    yield* Worker.runUntilIdle(jobs)
    yield* Worker.runUntilIdle(jobs)
    assert.deepStrictEqual(yield* (yield* FileStore).removeUnused(yield* currentTime, 10), [])
  }).pipe(Effect.provide(world)))
