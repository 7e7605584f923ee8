/**
 * Tests that transactions are atomic, can be nested, and become visible together. Fibers synchronize through signals
 * instead of timing. Unless a law states otherwise, the storage decides whether one unit of work waits for another.
 */
import * as Customer from "@trailbook/core/customer/Customer"
import type { Storage } from "@trailbook/core/storage"
import * as Task from "@trailbook/core/task/Task"
import { assert } from "chai"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import { origin } from "../generator/moment.ts"
import { assistantCall, auditEntry } from "../generator/staffSession.ts"
import { apiKey } from "./access/orgLaws.ts"
import { newEvent } from "./event/endpoints.ts"
import { type Law, law } from "./Law.ts"
import { assertDies } from "./rowAssertions.ts"
import {
  copyBookingWithNewIds,
  drawSample,
  newGrant,
  newPasskey,
  newRequest,
  newResumableJob,
  newSignInLink,
  newStaffMember,
  newStaffSession,
  newWebhook,
  seedOneOfEachResource
} from "./sampleRows.ts"
import { createEmptyOrg, newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { listUnclaimedTasks } from "./task/tasks.ts"

/** Adds a customer, whose presence shows whether a transaction was committed. */
const addGuest = (orgId: string) =>
  Effect.suspend(() => {
    const id = newId()
    return Store.customers.put([Customer.make({ id, orgId, email: `${id}@a.co`, createdAt: origin })])
  })

const count = <R>(rows: Effect.Effect<ReadonlyArray<unknown>, never, R>) => Effect.map(rows, ({ length }) => length)

/** Returns the number of customers in an org. */
const countGuests = (orgId: string) => count(Store.customers.list({ orgId, limit: 1000 }))

/** A write, the effect that reads what it changes, and the results of that effect before and after all writes. */
type Trace = readonly [
  write: Effect.Effect<void, never, Storage>,
  read: Effect.Effect<unknown, never, Storage>,
  before: unknown,
  after: unknown
]

/** Returns the trace of a write that adds the only row to a list. */
const addsRow = (
  write: Effect.Effect<void, never, Storage>,
  list: Effect.Effect<ReadonlyArray<unknown>, never, Storage>
): Trace => [write, count(list), 0, 1]

/** Creates one row of each kind, and returns writes to each store and the traces that the writes leave behind. */
const seedStoreTraces = Effect.map(seedOneOfEachResource, ({ booking, offering, org, session }) => {
  const { id: subjectId, orgId } = booking
  const storedBooking = Effect.map(Store.bookings.find([booking]), ([record]) => record?.booking)
  const event = newEvent(orgId)
  const tracesByName = {
    org: [
      Store.orgs.put({ ...org, name: "Changed" }),
      Effect.map(Store.orgs.find(orgId), (row) => Option.getOrThrow(row).name),
      "Town",
      "Changed"
    ],
    apiKeys: addsRow(
      // API key IDs have 12 characters.
      Store.apiKeys.put({ ...drawSample(apiKey), orgId, id: newId().slice(-12) }),
      Store.apiKeys.list(orgId)
    ),
    staff: addsRow(Store.staff.put(newStaffMember(orgId)), Store.staff.list(orgId)),
    signInLinks: addsRow(
      Store.staffSessions.putLink(newSignInLink(orgId)),
      Store.staffSessions.links({ orgId, staffId: "ann" })
    ),
    logins: addsRow(Store.staffSessions.put(newStaffSession(orgId)), Store.staffSessions.list(orgId)),
    passkeys: addsRow(Store.passkeys.put(newPasskey(orgId)), Store.passkeys.list(orgId)),
    audit: addsRow(
      Store.audit.add({ ...drawSample(auditEntry), orgId, id: newId() }),
      Store.audit.page({ orgId, limit: 10 })
    ),
    assistantCalls: addsRow(
      Store.assistantCalls.add([{ ...drawSample(assistantCall), orgId, id: newId() }]),
      Store.assistantCalls.list({ orgId, after: undefined, limit: 10 })
    ),
    grants: addsRow(Store.grants.put(newGrant(orgId)), Store.grants.list(orgId)),
    guests: [addGuest(orgId), countGuests(orgId), 1, 2],
    offering: [
      Store.offerings.put([{ ...offering, name: "Changed" }]),
      Effect.map(Store.offerings.find([offering]), ([row]) => row?.name),
      "Rafting",
      "Changed"
    ],
    session: [
      Store.sessions.put([{ ...session, capacity: 7 }]),
      Effect.map(Store.sessions.lock([session]), ([row]) => row?.capacity),
      null,
      7
    ],
    booking: [
      Store.bookings.put([{ ...booking, notes: "Changed" }]),
      Effect.map(storedBooking, (row) => row?.notes),
      "",
      "Changed"
    ],
    updatedBooking: [
      Store.bookings.update([{ ...booking, notes: "Changed", staffNotes: "Changed" }]),
      Effect.map(storedBooking, (row) => row?.staffNotes),
      "",
      "Changed"
    ],
    tasks: addsRow(
      Store.tasks.add([Task.make({ id: newId(), orgId, kind: "refund", subjectId, dueAt: origin })]),
      Effect.map(listUnclaimedTasks, (tasks) => tasks.filter((task) => task.orgId === orgId))
    ),
    request: addsRow(
      Store.requestKeys.bind(newRequest(orgId)),
      Effect.map(Store.requestKeys.find(newRequest(orgId)), Option.toArray)
    ),
    job: addsRow(
      Store.resumableJobs.put(newResumableJob(orgId)),
      Effect.map(Store.resumableJobs.find(newResumableJob(orgId)), Option.toArray)
    ),
    events: [
      Store.eventLog.append([event, event]),
      Effect.map(Store.eventLog.latest(orgId, 10), (events) => events.map(({ id }) => id)),
      [],
      [1, 2]
    ],
    head: [Store.eventLog.touch(orgId), Effect.map(Store.eventLog.heads([orgId]), ([head]) => head?.head ?? 0), 0, 3],
    webhooks: addsRow(Store.webhooks.add(newWebhook(orgId)), Store.webhooks.list(orgId))
  } satisfies { readonly [name: string]: Trace }
  const writes = Object.values<Trace>(tracesByName).map(([write]) => write)
  return {
    writes,
    leave: Effect.all(writes, { discard: true }),
    see: Effect.all(Record.map(tracesByName, ([, read]: Trace) => read)),
    /** The expected traces if no write was kept. */
    empty: Record.map(tracesByName, ([, , before]: Trace) => before),
    /** The expected traces if all writes were kept. */
    full: Record.map(tracesByName, ([, , , after]: Trace) => after)
  }
})

/** Asserts that a unit of work with this outcome leaves nothing behind and does not block the next one. */
const makeRollbackCheck = (
  run: (
    unit: Effect.Effect<void, never, Storage>,
    ending: Deferred.Deferred<void>
  ) => Effect.Effect<unknown, unknown, Storage>
): Law["check"] =>
() =>
  Effect.gen(function*() {
    const { empty, full, leave, see } = yield* seedStoreTraces
    const signal = yield* Deferred.make<void>()
    const unit = Effect.zipRight(leave, Deferred.succeed(signal, undefined))
    yield* Effect.exit(run(Effect.asVoid(unit), signal))
    assert.deepStrictEqual(yield* see, empty)
    yield* Store.run(leave)
    assert.deepStrictEqual(yield* see, full)
  })

/**
 * Interrupts a unit of work after the given number of writes. If the number includes the last write, the unit is about
 * to commit. If the number is larger, the unit has already ended.
 */
const interruptAfter = (writesDone: number): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const { empty, full, see, writes } = yield* seedStoreTraces
    const signal = yield* Deferred.make<void>()
    const onWrite = (count: number) =>
      count === writesDone ? Effect.zipRight(Deferred.succeed(signal, undefined), Effect.yieldNow()) : Effect.void
    const unit = Effect.forEach(writes, (write, at) => Effect.zipRight(write, onWrite(at + 1)), { discard: true })
    const fiber = yield* Effect.fork(Store.run(Effect.zipRight(onWrite(0), unit)))
    yield* Effect.raceFirst(Deferred.await(signal), Fiber.await(fiber))
    const exit = yield* Fiber.interrupt(fiber)
    const rows = yield* see
    assert.deepStrictEqual(rows, rows.org === full.org ? full : empty)
    if (Exit.isSuccess(exit)) assert.deepStrictEqual(rows, full)
    // This unit locks a row that the other unit wrote, so it waits if the other unit is still open.
    yield* Store.run(see)
    assert.deepStrictEqual(yield* see, rows, "the transaction continued after the interruption")
  })

const assertFails = <A>(exit: Exit.Exit<A, unknown>): void =>
  assert.isTrue(Exit.isFailure(exit), "the transaction succeeded")

/** Calls that store a valid row followed by a row that the storage rejects, and the effect that reads the valid row. */
const partlyInvalidBatches = Effect.map(seedOneOfEachResource, (sample) => {
  const { orgId } = sample.booking
  const unknownOrgId = newId()
  const withNewId = <Row>(row: Row) => ({ ...row, id: newId() })
  const offering = withNewId(sample.offering)
  const session = withNewId(sample.session)
  const customer = { ...withNewId(sample.customer), email: "bob@a.co" }
  const booking = copyBookingWithNewIds(sample.booking)
  const task = Task.make({ id: newId(), orgId, kind: "refund", subjectId: sample.booking.id, dueAt: origin })
  const batches: {
    readonly [name: string]: readonly [
      write: Effect.Effect<void, never, Storage>,
      storedRows: Effect.Effect<ReadonlyArray<unknown>, never, Storage>
    ]
  } = {
    "offerings of an unknown org": [
      Store.offerings.put([offering, { ...withNewId(offering), orgId: unknownOrgId }]),
      Store.offerings.find([offering])
    ],
    "sessions of an unknown offering": [
      Store.sessions.put([session, { ...withNewId(session), offeringId: unknownOrgId }]),
      Store.sessions.lock([session])
    ],
    "customers of one address": [
      Store.customers.put([customer, withNewId(customer)]),
      Store.customers.find([customer])
    ],
    "bookings of one reference": [
      Store.bookings.put([booking, { ...withNewId(booking), handle: newId() }]),
      Store.bookings.find([booking])
    ],
    "tasks of an unknown org": [
      Store.tasks.add([task, { ...withNewId(task), orgId: unknownOrgId }]),
      Effect.map(listUnclaimedTasks, (tasks) => tasks.filter(({ id }) => id === task.id))
    ],
    "events of an unknown org": [
      Store.eventLog.append([newEvent(orgId), newEvent(unknownOrgId)]),
      Store.eventLog.latest(orgId, 10)
    ]
  }
  return Object.entries(batches)
})

export const transactionLaws = [
  law(
    "transactions/commits",
    "stores the changes of a successful transaction and returns its result",
    function*() {
      const { empty, full, leave, see } = yield* seedStoreTraces
      assert.deepStrictEqual(yield* see, empty)
      assert.strictEqual(yield* Store.run(Effect.as(leave, "answer")), "answer")
      assert.deepStrictEqual(yield* see, full)
    }
  ),

  law(
    "transactions/refusal",
    "rolls back the writes of a rejected transaction, and returns its error",
    makeRollbackCheck((unit) =>
      Effect.gen(function*() {
        const refusal = yield* Effect.flip(Store.run(Effect.zipRight(unit, Effect.fail("no" as const))))
        assert.strictEqual(refusal, "no")
      })
    )
  ),

  law(
    "transactions/defect",
    "rolls back the writes of a transaction that fails with a defect",
    makeRollbackCheck((unit) => Store.run(Effect.zipRight(unit, Effect.dieMessage("broken"))))
  ),

  law(
    "transactions/interruption",
    "rolls back the writes of an interrupted transaction",
    makeRollbackCheck((unit, signal) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.fork(Store.run(Effect.zipRight(unit, Effect.never)))
        yield* Deferred.await(signal)
        yield* Fiber.interrupt(fiber)
      })
    )
  ),

  law(
    "transactions/interrupted-anywhere",
    "commits or rolls back an interrupted transaction before the interruption completes",
    function*() {
      const { writes } = yield* seedStoreTraces
      yield* Effect.forEach(Array.from({ length: writes.length + 2 }, (_, at) => at), interruptAfter, { discard: true })
    }
  ),

  law(
    "transactions/outlived",
    "never loses a confirmed write from a fiber that outlives its transaction",
    function*() {
      for (const outcome of [Effect.void, Effect.fail("no")]) {
        const { id } = yield* createEmptyOrg
        const endSignal = yield* Deferred.make<void>()
        const lateExit = yield* Deferred.make<Exit.Exit<void>>()
        const lateWrite = Effect.zipRight(Deferred.await(endSignal), Effect.exit(addGuest(id)))
        const fork = Effect.forkDaemon(Effect.intoDeferred(lateWrite, lateExit))
        yield* Effect.exit(Store.run(Effect.zipRight(fork, outcome)))
        yield* Deferred.succeed(endSignal, undefined)
        const committed = Exit.isSuccess(yield* Deferred.await(lateExit)) ? 1 : 0
        assert.strictEqual(yield* countGuests(id), committed)
      }
    }
  ),

  law("transactions/own-writes", "lets a transaction read its own writes", function*() {
    const { full, leave, see } = yield* seedStoreTraces
    assert.deepStrictEqual(yield* Store.run(Effect.zipRight(leave, see)), full)
  }),

  law(
    "transactions/joined",
    "commits or rolls back a nested transaction with its outer transaction",
    function*() {
      const { empty, full, leave, see } = yield* seedStoreTraces
      assertFails(yield* Effect.exit(Store.run(Effect.zipRight(Store.run(leave), Effect.fail("no")))))
      assert.deepStrictEqual(yield* see, empty)
      yield* Store.run(Effect.zipRight(
        Store.run(leave),
        Effect.flatMap(see, (rows) => Effect.sync(() => assert.deepStrictEqual(rows, full)))
      ))
      assert.deepStrictEqual(yield* see, full)
    }
  ),

  law(
    "transactions/joined-refusal",
    "rolls back a nested transaction that fails, even if the error is handled",
    function*() {
      const { empty, leave, see } = yield* seedStoreTraces
      const { id } = yield* createEmptyOrg
      yield* Store.run(Effect.gen(function*() {
        yield* addGuest(id)
        assertFails(yield* Effect.exit(Store.run(Effect.zipRight(leave, Effect.fail("no")))))
        yield* addGuest(id)
      }))
      assert.deepStrictEqual(yield* see, empty)
      assert.strictEqual(yield* countGuests(id), 2)
    }
  ),

  law("transactions/at-once", "exposes all or none of a transaction's writes to other readers", function*() {
    const { id } = yield* createEmptyOrg
    const startSignal = yield* Deferred.make<void>()
    const readSignal = yield* Deferred.make<void>()
    const readCount = Effect.tap(countGuests(id), () => Deferred.succeed(readSignal, undefined))
    const reader = yield* Effect.fork(
      Effect.zipRight(
        Deferred.await(startSignal),
        Effect.iterate({ seen: [] as ReadonlyArray<number>, left: 100 }, {
          while: ({ left, seen }) => left > 0 && seen.at(-1) !== 2,
          body: ({ left, seen }) =>
            Effect.map(Effect.delay(readCount, "2 millis"), (now) => ({ seen: [...seen, now], left: left - 1 }))
        })
      )
    )
    yield* Store.run(Effect.gen(function*() {
      yield* addGuest(id)
      yield* Deferred.succeed(startSignal, undefined)
      // An adapter may block readers until the unit ends, so the wait has a limit.
      yield* Effect.timeoutOption(Deferred.await(readSignal), "250 millis")
      yield* addGuest(id)
    }))
    const { seen } = yield* Fiber.join(reader)
    assert.deepStrictEqual(
      [...new Set(seen)].filter((count) => count !== 0),
      [2],
      "an incomplete transaction was visible"
    )
  }),

  law(
    "transactions/outside",
    "commits a write immediately if it is made outside a transaction",
    function*() {
      const { full, leave, see } = yield* seedStoreTraces
      yield* leave
      assert.deepStrictEqual(yield* see, full)
    }
  ),

  law(
    "transactions/one-call",
    "stores no rows if a call outside a transaction fails",
    function*() {
      const batches = yield* partlyInvalidBatches
      for (const [name, [write]] of batches) assert.isTrue(Exit.isFailure(yield* Effect.exit(write)), name)
      for (const [name, [, storedRows]] of batches) assert.deepStrictEqual(yield* storedRows, [], name)
    }
  )
]

/** Starts a fiber outside any unit of work. The fiber stores a customer when it receives a signal. */
const startConcurrentWrite = Effect.gen(function*() {
  const { id } = yield* createEmptyOrg
  const store = yield* Deferred.make<void>()
  const storeSignal = yield* Deferred.make<void>()
  yield* Effect.forkDaemon(
    Deferred.await(store).pipe(
      Effect.zipRight(Store.run(addGuest(id))),
      Effect.zipRight(Deferred.succeed(storeSignal, undefined))
    )
  )
  return { read: countGuests(id), store, stored: storeSignal }
})

export const snapshotLaws = [
  law(
    "transactions/snapshot",
    "reads all data in a snapshot as of a single point in time",
    function*() {
      const { read, store, stored } = yield* startConcurrentWrite
      yield* Store.snapshot(Effect.gen(function*() {
        assert.strictEqual(yield* read, 0)
        yield* Deferred.succeed(store, undefined)
        // Limit the wait, because a storage adapter may block the writer.
        yield* Effect.timeoutOption(Deferred.await(stored), "200 millis")
        assert.strictEqual(yield* read, 0)
      }))
      yield* Deferred.await(stored)
      assert.strictEqual(yield* read, 1)
    }
  ),

  law("transactions/snapshot-waits-for-none", "lets writers continue while a snapshot is open", function*() {
    const { read, store, stored } = yield* startConcurrentWrite
    yield* Store.snapshot(Effect.gen(function*() {
      assert.strictEqual(yield* read, 0)
      yield* Deferred.succeed(store, undefined)
      const result = yield* Effect.timeoutOption(Deferred.await(stored), "2 seconds")
      assert.isTrue(Option.isSome(result), "the writer waited for the snapshot to end")
    }))
  }),

  law(
    "transactions/snapshot-read-only",
    "rejects writes within a snapshot, even from a transaction inside it",
    function*() {
      const { empty, full, leave, see, writes } = yield* seedStoreTraces
      for (const write of writes) {
        for (const effect of [write, Store.run(write)]) {
          yield* assertDies(Store.snapshot(effect))
        }
      }
      assert.deepStrictEqual(yield* see, empty)
      // A failed snapshot must not block writers.
      yield* Store.run(leave)
      assert.deepStrictEqual(yield* see, full)
    }
  )
]
