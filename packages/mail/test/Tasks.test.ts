import { it } from "@effect/vitest"
import { type Booking, BookingStore, BookingWriter } from "@trailbook/core/booking"
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { Files } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import { OfferingStore } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts, type PaidPayment, PaymentStore } from "@trailbook/core/payment"
import { UnitOfWork } from "@trailbook/core/port"
import { Tasks, TaskStore } from "@trailbook/core/task"
import { defaultQueues, make, type TaskKind, taskKinds, type TaskQueue, taskQueues } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeMailer } from "@trailbook/testkit/fakes"
import { claimAllTasksFor } from "@trailbook/testkit/law/task/tasks"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { assert, describe } from "vitest"

const checkouts = Layer.provide(Checkouts.layer, BookingWriter.layer("none"))

const world = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)).pipe(
  Layer.provideMerge(
    Layer.mergeAll(MemoryStorage.layer, Files.layerNone, TestIds.layer(1), FakeMailer.layer, FakePayments.layer)
  )
)

/** Creates the same world with another mailer. */
const worldOf = (mailer: Mailer["Type"]) =>
  TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        MemoryStorage.layer,
        Files.layerNone,
        TestIds.layer(1),
        Layer.succeed(Mailer, mailer),
        FakePayments.layer
      )
    )
  )

/** Blocks a task after its action has succeeded, but before the success is recorded. */
class Gate extends Context.Tag("Gate")<
  Gate,
  { readonly reached: Deferred.Deferred<void>; readonly open: Deferred.Deferred<void> }
>() {}

const slowToBeDone = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)).pipe(
  Layer.provideMerge(Layer.effect(
    TaskStore,
    Effect.gen(function*() {
      const taskStore = yield* TaskStore
      const { open, reached } = yield* Gate
      const done: TaskStore["Type"]["done"] = (tasks) =>
        Deferred.succeed(reached, undefined).pipe(
          Effect.zipRight(Deferred.await(open)),
          Effect.zipRight(taskStore.done(tasks))
        )
      return { ...taskStore, done }
    })
  )),
  Layer.provideMerge(Layer.mergeAll(
    MemoryStorage.layer,
    TestIds.layer(1),
    FakeMailer.layer,
    Files.layerNone,
    FakePayments.layer,
    Layer.effect(Gate, Effect.all({ reached: Deferred.make<void>(), open: Deferred.make<void>() }))
  ))
)

const id = (n: number) => `0197a1b2-0000-7000-8000-${`${n}`.padStart(12, "0")}`

const boathouse = { location: "Boathouse, Salida", lat: 38.5347, lon: -106.0017 }

const start = Instant.make(Date.UTC(2026, 4, 1, 15))

/** Returns a payment for a booking. The payment has the booking's ID. */
const paymentOf = ({ id, orgId, totalCents: cents }: Booking, refunds: PaidPayment["refunds"]): PaidPayment => ({
  id,
  orgId,
  bookingId: id,
  attempt: 1,
  provider: "till",
  connection: null,
  cents,
  currency: "usd",
  description: "Fly-fishing",
  madeAt: start,
  expiresAt: start,
  session: null,
  status: "paid",
  intent: "pi_1",
  paidAt: start,
  refunds,
  dispute: null,
  mismatch: null
})

const owedRefund: PaidPayment["refunds"][number] = {
  id: "refund-1",
  cents: 9000,
  reason: "cancellation",
  createdAt: start,
  status: "due",
  at: start,
  providerId: null,
  error: null,
  refusals: 0
}

/** Creates an outfitter with one confirmed and paid booking. The clock shows the booking time. */
const createBooking = (input: { readonly org?: number; readonly timezone?: string; readonly email?: string } = {}) =>
  Effect.gen(function*() {
    const { email = "ada@example.com", org: n = 1, timezone = "America/Denver" } = input
    const org = Org.make({ id: id(n), name: "Pine River", slug: `pine-river-${n}`, timezone, createdAt: start })
    const of = { orgId: org.id, createdAt: start }
    const offering = Offering.make({ ...of, id: id(n + 10), kind: "appointment", name: "Fly-fishing", ...boathouse })
    const booking: Booking = {
      ...of,
      id: id(n + 30),
      offeringId: offering.id,
      customerId: id(n + 20),
      sessionId: null,
      startsAt: Instant.addMinutes(start, 10_000),
      endsAt: Instant.addMinutes(start, 10_060),
      periodMinutes: 60,
      periods: 1,
      quantity: 1,
      totalCents: 9000,
      currency: "usd",
      deskCents: 0,
      keepCents: null,
      price: null,
      cancellationPolicy: null,
      onlineCents: null,
      staffNotes: "",
      reference: `7K3M9Q2${n}`,
      handle: `handle-${n}`,
      checkInToken: `token-${n}`,
      source: "api",
      notes: "",
      metadata: {},
      confirmedAt: start,
      updatedAt: start,
      paidAt: start,
      paymentIntentId: "pi_1",
      refund: null,
      dispute: null,
      attendance: null,
      tapsFrom: start,
      previous: null,
      unproven: null,
      resentAt: null,
      contact: null,
      idempotency: { key: id(n + 40), fingerprint: "" },
      status: "confirmed"
    }
    const store = {
      org: yield* OrgStore,
      offering: yield* OfferingStore,
      customer: yield* CustomerStore,
      booking: yield* BookingStore,
      payment: yield* PaymentStore
    }
    const { run } = yield* UnitOfWork
    yield* run(Effect.gen(function*() {
      yield* store.org.put(org)
      yield* store.offering.put([offering])
      yield* store.customer.put([Customer.make({ ...of, id: booking.customerId, email, name: "Ada" })])
      yield* store.booking.put([booking])
      yield* store.payment.put([paymentOf(booking, [])])
    }))
    yield* TestClock.setTime(start)
    return booking
  })

const add = ({ id: subjectId, orgId }: Booking, kind: TaskKind, n: number) =>
  Effect.gen(function*() {
    const taskStore = yield* TaskStore
    const dueAt = yield* currentTime
    yield* taskStore.add([make({ id: id(n), orgId, kind, subjectId, dueAt })])
  })

const run = (limit = 10) => Effect.flatMap(Tasks, (tasks) => tasks.run(limit))
const subjects = Effect.flatMap(
  FakeMailer,
  ({ sent }) => Effect.map(sent, (mails) => mails.map(({ subject }) => subject))
)

/** Lists all pending tasks, including future ones. A zero-length lease leaves them unchanged. */
const pending = claimAllTasksFor(0)

/** Advances the clock and asserts that the only task runs at exactly that time, not a millisecond earlier. */
const runsAfter = (minutes: number) =>
  Effect.gen(function*() {
    yield* TestClock.adjust(minutes * 60_000 - 1)
    assert.strictEqual(yield* run(), 0, `before ${minutes} minutes`)
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* run(), 1, `after ${minutes} minutes`)
  })

describe("a task", () => {
  it.effect("does not run again after it succeeds", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      yield* add(booking, "mail.confirmed", 1)
      assert.strictEqual(yield* run(), 1)
      assert.deepEqual(yield* subjects, ["Booking confirmed: Pine River (7K3M9Q21)"])
      const [mail] = yield* (yield* FakeMailer).sent
      assert.match(mail?.text ?? "", /^Where: +Boathouse, Salida$/m)
      assert.match(mail?.calendar?.ics ?? "", /^GEO:38.5347;-106.0017\r$/m)
      assert.strictEqual(yield* run(), 0)
      assert.lengthOf(yield* subjects, 1)
    }).pipe(Effect.provide(world)))

  it.effect("adds a note if the guest's address is permanently refused", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const mailless = yield* createBooking({ org: 2, email: "" })
      yield* (yield* FakeMailer).refuseAddress("ada@example.com", "permanently")
      yield* add(booking, "mail.confirmed", 1)
      yield* add(booking, "mail.moved", 2)
      yield* add(mailless, "mail.confirmed", 3)
      yield* run()
      const [conversation, ...others] = yield* (yield* ConversationStore).findByCustomer(
        [booking, mailless].map(({ customerId: id, orgId }) => ({ orgId, id }))
      )
      assert.lengthOf(others, 0)
      const notes = yield* (yield* MessageStore).latest(conversation ?? assert.fail("no conversation"), 10)
      assert.deepStrictEqual(notes.map(({ body, kind }) => [kind, body]), [
        ["note", "An email about a booking did not reach ada@example.com: The address does not exist."]
      ])
    }).pipe(Effect.provide(world)))

  it.effect("links earlier questions from the guest's address to the guest", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const { orgId } = booking
      const conversations = yield* ConversationStore
      const question = Conversation.make({
        id: id(50),
        orgId,
        token: "question",
        fromName: "Ada",
        fromEmail: "ada@example.com",
        createdAt: start
      })
      yield* (yield* UnitOfWork).run(conversations.put([question]))
      yield* add(booking, "mail.confirmed", 1)
      yield* run()
      const [conversation] = yield* conversations.find([question])
      assert.deepInclude(conversation, { customerId: booking.customerId, fromName: null, fromEmail: null })
    }).pipe(Effect.provide(world)))

  it.effect("is retried with growing delays of up to 6 hours", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const mailbox = yield* FakeMailer
      yield* mailbox.refuse(true)
      yield* add(booking, "mail.confirmed", 1)
      assert.strictEqual(yield* run(), 1)
      for (const minutes of [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]) yield* runsAfter(minutes)
      const [pendingTask] = yield* pending
      assert.strictEqual(pendingTask?.attempts, 12)
      assert.strictEqual(pendingTask?.lastError, "The mailbox is full.")

      yield* mailbox.refuse(false)
      assert.deepEqual(yield* subjects, [])
      yield* runsAfter(360)
      assert.lengthOf(yield* subjects, 1)
      assert.deepEqual(yield* pending, [])
    }).pipe(Effect.provide(world)))

  it.effect("succeeds without sending an email if the guest was erased", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking({ email: "" })
      yield* add(booking, "mail.cancelled", 1)
      assert.strictEqual(yield* run(), 1)
      assert.deepEqual(yield* subjects, [])
      assert.deepEqual(yield* pending, [])
    }).pipe(Effect.provide(world)))

  it.effect("is retried until the refund succeeds, but refunds only once", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const { find, put } = yield* BookingStore
      yield* put([{
        ...booking,
        status: "cancelled",
        cancelledAt: start,
        keepCents: 0,
        refund: { status: "due", cents: 9000, at: start }
      }])
      yield* (yield* PaymentStore).put([paymentOf(booking, [owedRefund])])
      const refund = Effect.map(find([booking]), ([record]) => record?.booking.refund)
      const provider = yield* FakePayments
      yield* provider.refuse(true)
      yield* add(booking, "refund", 1)
      assert.strictEqual(yield* run(), 1)
      assert.strictEqual((yield* refund)?.status, "refused")
      yield* runsAfter(1)
      assert.deepEqual(yield* provider.refunds, new Map())
      assert.deepEqual((yield* pending).map(({ lastError }) => lastError), ["The payment account is closed."])
      yield* provider.refuse(false)
      yield* runsAfter(2)
      assert.deepEqual(yield* provider.refunds, new Map([[booking.id, 9000]]))
      assert.deepEqual(yield* refund, { status: "done", cents: 9000, at: Instant.addMinutes(start, 3) })
      assert.deepEqual(yield* pending, [])
    }).pipe(Effect.provide(world)))

  it.effect("does not delay other queues if its own queue fails", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const mailbox = yield* FakeMailer
      const provider = yield* FakePayments
      yield* mailbox.refuse(true)
      yield* add(booking, "mail.cancelled", 1)
      yield* add(booking, "refund", 2)
      yield* (yield* PaymentStore).put([paymentOf(booking, [owedRefund])])
      assert.strictEqual(yield* run(), 2)
      assert.strictEqual((yield* provider.refunds).size, 1)
      assert.deepEqual((yield* pending).map(({ attempts, kind }) => [kind, attempts]), [["mail.cancelled", 1]])
    }).pipe(Effect.provide(world)))

  it.effect("is retried if its email cannot be rendered", () =>
    Effect.gen(function*() {
      const brokenBooking = yield* createBooking({ org: 1, timezone: "America/Atlantis" })
      const soundBooking = yield* createBooking({ org: 2 })
      yield* add(brokenBooking, "mail.confirmed", 1)
      yield* add(soundBooking, "mail.confirmed", 2)
      assert.strictEqual(yield* run(), 2)
      assert.deepEqual(yield* subjects, ["Booking confirmed: Pine River (7K3M9Q22)"])
      const [pendingTask, ...others] = yield* pending
      assert.deepEqual(others, [])
      assert.strictEqual(pendingTask?.id, id(1))
      assert.include(pendingTask?.lastError, "America/Atlantis")
    }).pipe(Effect.provide(world)))

  it.effect("runs after tasks that are due earlier", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      yield* add(booking, "mail.confirmed", 1)
      yield* TestClock.adjust("1 second")
      yield* add(booking, "mail.moved", 2)
      assert.strictEqual(yield* run(1), 1)
      assert.deepEqual(yield* subjects, ["Booking confirmed: Pine River (7K3M9Q21)"])
      assert.deepEqual((yield* pending).map(({ kind }) => kind), ["mail.moved"])
    }).pipe(Effect.provide(world)))

  it.effect("does not run while it is claimed", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const tasks = yield* Tasks
      yield* add(booking, "mail.confirmed", 1)
      const claimedTasks = yield* tasks.claim("mail", 10)
      assert.lengthOf(claimedTasks, 1)
      assert.strictEqual(yield* run(), 0)
      yield* tasks.release(claimedTasks)
      assert.strictEqual(yield* run(), 1)
    }).pipe(Effect.provide(world)))

  it.effect("is claimed only for its own queue", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const tasks = yield* Tasks
      yield* Effect.forEach(taskKinds, (kind, at) => add(booking, kind, at + 1))
      const kinds = (queue: TaskQueue) =>
        Effect.map(tasks.claim(queue, 100), (claimedTasks) => claimedTasks.map(({ kind }) => kind).sort())
      for (const queue of taskQueues) {
        assert.deepEqual(yield* kinds(queue), taskKinds.filter((kind) => defaultQueues[kind] === queue).sort())
      }
    }).pipe(Effect.provide(world)))

  it.effect("fails and is retried if it takes longer than a minute", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      yield* add(booking, "mail.confirmed", 1)
      const fiber = yield* Effect.fork(run())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(fiber), 1)
      const [pendingTask] = yield* pending
      assert.deepEqual([pendingTask?.attempts, pendingTask?.lastError], [
        1,
        "The task did not finish within 60 seconds."
      ])
    }).pipe(Effect.provide(worldOf({ send: () => Effect.never }))))

  it.effect("is recorded as done if the worker stops after sending its email", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      const gate = yield* Gate
      yield* add(booking, "mail.confirmed", 1)
      const fiber = yield* Effect.fork(run())
      yield* Deferred.await(gate.reached)
      const interruption = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate.open, undefined)
      yield* Fiber.join(interruption)
      assert.deepEqual(yield* pending, [])
    }).pipe(Effect.provide(slowToBeDone)))

  it.effect("is recorded as done within a second, even if another task hangs", () => {
    const recordedIds: Array<ReadonlyArray<string>> = []
    const recordingStore = Layer.effect(
      TaskStore,
      Effect.map(TaskStore, (taskStore) => ({
        ...taskStore,
        done: (tasks) => {
          recordedIds.push(tasks.map(({ id }) => id).sort())
          return taskStore.done(tasks)
        }
      }))
    )
    const mailer = Mailer.of({
      send: ({ id: mail }) => mail === id(3) ? Effect.never : Effect.succeed({ reportRequested: false })
    })
    const layer = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)).pipe(
      Layer.provideMerge(recordingStore),
      Layer.provideMerge(
        Layer.mergeAll(
          MemoryStorage.layer,
          Files.layerNone,
          TestIds.layer(1),
          Layer.succeed(Mailer, mailer),
          FakePayments.layer
        )
      )
    )
    return Effect.gen(function*() {
      const booking = yield* createBooking()
      for (const n of [1, 2, 3, 4]) yield* add(booking, "mail.confirmed", n)
      const { attempt, claim } = yield* Tasks
      const claims = yield* claim("mail", 4)
      const fiber = yield* Effect.fork(attempt(claims))
      yield* TestClock.adjust("999 millis")
      assert.deepEqual(recordedIds, [])
      yield* TestClock.adjust("1 millis")
      assert.deepEqual(recordedIds, [[id(1), id(2), id(4)]])
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(recordedIds, 1)
      assert.deepEqual((yield* pending).map(({ id }) => id), [])
      yield* Effect.flatMap(Tasks, ({ release }) => release(claims))
      assert.deepEqual((yield* pending).map((task) => task.id), [id(3)])
    }).pipe(Effect.provide(layer))
  })

  it.effect("resends its email with the same message ID", () =>
    Effect.gen(function*() {
      const booking = yield* createBooking()
      yield* add(booking, "mail.confirmed", 1)
      const gate = yield* Gate
      const { attempt, claim } = yield* Tasks
      yield* Effect.fork(Effect.flatMap(claim("mail", 10), attempt))
      yield* Deferred.await(gate.reached)
      // The previous worker's lease has expired.
      yield* TestClock.adjust("1 hour")
      yield* Deferred.succeed(gate.open, undefined)
      assert.strictEqual(yield* run(), 1)
      const ids = (yield* (yield* FakeMailer).sent).map((mail) => mail.id)
      assert.deepEqual(ids, [id(1), id(1)])
    }).pipe(Effect.provide(slowToBeDone)))

  it.effect("shares a database query with other tasks, but fails separately", () => {
    const keyCounts: Array<number> = []
    const countingStore = Layer.effect(
      BookingStore,
      Effect.map(BookingStore, (store) => ({
        ...store,
        find: (keys) => {
          keyCounts.push(keys.length)
          return keys.some((key) => key.orgId === id(2)) ? Effect.die(new Error("no such row")) : store.find(keys)
        }
      }))
    )
    const layer = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(Layer.provide(checkouts)).pipe(
      Layer.provideMerge(countingStore),
      Layer.provideMerge(
        Layer.mergeAll(MemoryStorage.layer, Files.layerNone, TestIds.layer(1), FakeMailer.layer, FakePayments.layer)
      )
    )
    return Effect.gen(function*() {
      const { attempt, claim } = yield* Tasks
      const soundBooking = yield* createBooking({ org: 1 })
      for (const n of [1, 2, 3]) yield* add(soundBooking, "mail.confirmed", n)
      assert.deepEqual(yield* Effect.flatMap(claim("mail", 10), attempt), ["done", "done", "done"])
      assert.deepEqual(keyCounts, [3])
      yield* add(soundBooking, "mail.confirmed", 4)
      yield* add(yield* createBooking({ org: 2 }), "mail.confirmed", 5)
      assert.deepEqual(yield* Effect.flatMap(claim("mail", 10), attempt), ["done", "postponed"])
      const [pendingTask, ...others] = yield* pending
      assert.deepEqual(others, [])
      assert.deepEqual([pendingTask?.id, pendingTask?.lastError], [id(5), "Error: no such row"])
    }).pipe(Effect.provide(layer))
  })
})
