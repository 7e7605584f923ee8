/**
 * Tests how the booking writer runs and retries requests individually, in batches, and in transactions. The storage
 * fails on command.
 */
import { assert, describe, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import { TransactionContext, UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import { listUnclaimedTasks } from "@trailbook/testkit/law/task/tasks"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

const orgId = "00000000-0000-7000-8000-000000000001"

/** Wraps a transaction that the writer starts. Attempts are numbered from 1. */
type Around = <A, E, R>(transaction: Effect.Effect<A, E, R>, attempt: number) => Effect.Effect<A, E, R>

const conflict = { _tag: "StatementFailed" }
const outage = { _tag: "DatabaseUnavailable" }

interface Row {
  readonly id: string
  readonly status: string
  readonly created_at: string
  readonly total_cents: number
}

/** Two processes that share storage, and a held booking in the first of two sessions. */
const fixture = Effect.gen(function*() {
  const memory = yield* Layer.build(Memory.layer)
  const store = Context.get(memory, BookingStore)
  const units = Context.get(memory, UnitOfWork)
  const sessions = Context.get(memory, SessionStore)
  const faults = {
    around: ((transaction) => transaction) as Around,
    lockWait: Effect.void,
    staleReads: 0,
    transactions: 0
  }
  let otherSession = ""
  const storage = memory.pipe(
    Context.add(UnitOfWork, {
      ...units,
      run: (work) => Effect.suspend(() => faults.around(units.run(work), ++faults.transactions))
    }),
    Context.add(SessionStore, {
      ...sessions,
      lock: (keys) => Effect.zipRight(Effect.suspend(() => faults.lockWait), sessions.lock(keys))
    }),
    Context.add(BookingStore, {
      ...store,
      find: (keys) =>
        Effect.map(store.find(keys), (records) =>
          faults.staleReads-- > 0
            ? records.map((record) => ({ ...record, booking: { ...record.booking, sessionId: otherSession } }))
            : records)
    })
  )
  const linger = Effect.repeatN(Effect.yieldNow(), 20)
  const start = (seed: number) =>
    Process.start({ seed, batches: { concurrency: 1, maxBatchSize: 8, linger } }).pipe(
      Effect.provide(Layer.merge(Layer.succeedContext(storage), Payments.layerNone))
    )
  yield* Context.get(memory, OrgStore).put(
    Org.make({ id: orgId, name: "Org", slug: "org", timezone: "UTC", createdAt: origin })
  )
  const first = yield* start(1)
  // This process has not cached any locations.
  const second = yield* start(2)
  const call = <A>(name: string, input: object) =>
    Effect.map(Effect.orDie(first.call(orgId, name, input)), (output) => output as A)
  const offering = yield* call<Row>("offerings.create", {
    kind: "class",
    name: "Raft",
    capacity: 8,
    price_cents: 1000
  })
  const session = (hour: number) =>
    Effect.map(
      call<{ readonly data: ReadonlyArray<Row> }>("sessions.create", {
        offering_id: offering.id,
        starts_at: Instant.format(Instant.addMinutes(origin, (48 + hour) * 60))
      }),
      ({ data }) => data[0]?.id ?? assert.fail("no session")
    )
  const sessionId = yield* session(1)
  otherSession = yield* session(5)
  const book = (fields: object = {}) =>
    call<Row>("bookings.create", {
      offering_id: offering.id,
      session_id: sessionId,
      quantity: 1,
      customer: { email: "ann@example.com" },
      ...fields
    })
  const { id } = yield* book({ hold_minutes: 60 })
  faults.transactions = 0
  return {
    book: book(),
    bookWith: book,
    call,
    /** Cancels the hold in the process that has its location cached. */
    cancel: first.bookings.cancel({ orgId, id }, "full"),
    confirm: second.bookings.confirm({ orgId, id }),
    faults,
    statuses: Effect.map(
      call<{ readonly data: ReadonlyArray<Row> }>("bookings.list", {}),
      ({ data }) => data.map(({ status }) => status)
    ),
    taskIds: Effect.map(Effect.provide(listUnclaimedTasks, memory), (tasks) => tasks.map(({ id }) => id).sort()),
    transaction: units.run
  }
})

const test = (title: string, body: Effect.Effect<void, unknown, Scope.Scope>) =>
  it.scopedLive(title, () => Effect.flatMap(SettableClock.make(origin), (clock) => Effect.withClock(body, clock)))

const defectOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? [...Cause.defects(exit.cause)][0] : undefined

/** Fails the first `attempts` transactions before they store anything. */
const failFirst = (attempts: number, defect: object): Around => (transaction, attempt) =>
  attempt <= attempts ? Effect.die(defect) : transaction

describe("a request that reads stale data", () => {
  test(
    "can succeed on its sixth attempt",
    Effect.gen(function*() {
      const { confirm, faults, statuses } = yield* fixture
      faults.staleReads = 5
      yield* confirm
      assert.strictEqual(faults.transactions, 6)
      assert.deepStrictEqual(yield* statuses, ["confirmed"])
    })
  )

  test(
    "fails after six attempts and stores nothing",
    Effect.gen(function*() {
      const { confirm, faults, statuses } = yield* fixture
      faults.staleReads = Infinity
      assert.propertyVal(defectOf(yield* Effect.exit(confirm)), "_tag", "StaleRead")
      assert.strictEqual(faults.transactions, 6)
      faults.staleReads = 0
      assert.deepStrictEqual(yield* statuses, ["held"])
    })
  )
})

describe("a request's generated IDs", () => {
  /** Confirms the booking in a new fixture and returns the IDs of its tasks. */
  const confirmWith = (options: { readonly staleReads?: number; readonly around?: Around }) =>
    Effect.gen(function*() {
      const { confirm, faults, taskIds } = yield* fixture
      Object.assign(faults, options)
      yield* confirm
      return yield* taskIds
    })

  test(
    "stay the same in a retry after a stale read",
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* confirmWith({ staleReads: 5 }), yield* confirmWith({}))
    })
  )

  test(
    "change in a retry after a conflict",
    Effect.gen(function*() {
      assert.notDeepEqual(yield* confirmWith({ around: failFirst(1, conflict) }), yield* confirmWith({}))
    })
  )
})

describe("a transaction", () => {
  test(
    "is retried five times after conflicts if it creates a booking",
    Effect.gen(function*() {
      const { book, faults, statuses } = yield* fixture
      faults.around = failFirst(5, conflict)
      yield* book
      assert.strictEqual(faults.transactions, 6)
      assert.deepStrictEqual(yield* statuses, ["held", "confirmed"])
    })
  )

  test(
    "fails after the fifth retry if it creates a booking",
    Effect.gen(function*() {
      const { book, faults, statuses } = yield* fixture
      faults.around = failFirst(Infinity, conflict)
      assert.strictEqual(defectOf(yield* Effect.exit(book)), conflict)
      assert.strictEqual(faults.transactions, 6)
      assert.deepStrictEqual(yield* statuses, ["held"])
    })
  )

  test(
    "is retried once after a conflict if it updates a booking",
    Effect.gen(function*() {
      const { confirm, faults } = yield* fixture
      faults.around = failFirst(Infinity, conflict)
      assert.strictEqual(defectOf(yield* Effect.exit(confirm)), conflict)
      assert.strictEqual(faults.transactions, 2)
    })
  )

  test(
    "is retried once per batch, not per request, during an outage",
    Effect.gen(function*() {
      const { book, faults } = yield* fixture
      faults.around = failFirst(Infinity, outage)
      const exits = yield* Effect.forEach([book, book, book], Effect.exit, { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(defectOf), [outage, outage, outage])
      assert.strictEqual(faults.transactions, 2)
    })
  )

  test(
    "is retried after a lost commit response only if it creates a booking",
    Effect.gen(function*() {
      const { book, cancel, faults, statuses } = yield* fixture
      faults.around = (transaction, attempt) =>
        attempt === 1 ? Effect.zipLeft(transaction, Effect.die(outage)) : transaction
      const [bookExit, cancelExit] = yield* Effect.all([Effect.exit(book), Effect.exit(cancel)], {
        concurrency: "unbounded"
      })
      assert.isTrue(Exit.isSuccess(bookExit))
      assert.strictEqual(defectOf(cancelExit), outage)
      assert.strictEqual(faults.transactions, 2)
      assert.deepStrictEqual(yield* statuses, ["cancelled", "confirmed"])
    })
  )
})

describe("a request in a batch", () => {
  it.scopedLive("is timestamped when it acquires its locks", () =>
    Effect.gen(function*() {
      const clock = yield* SettableClock.make(origin)
      const { bookWith, faults } = yield* Effect.withClock(fixture, clock)
      faults.lockWait = clock.advance(90_000)
      const { created_at } = yield* bookWith()
      assert.strictEqual(created_at, Instant.format(Instant.make(origin + 90_000)))
    }))

  test(
    "can share a discount code with another booking",
    Effect.gen(function*() {
      const { bookWith, call, faults } = yield* fixture
      yield* call("discounts.create", { code: "TWICE", cents: 100, max_uses: 2 })
      const { id } = yield* bookWith({ discount_code: "TWICE" })
      faults.transactions = 0
      const [changedBooking, newBooking] = yield* Effect.all([
        call<Row>("bookings.update", { id, quantity: 2 }),
        bookWith({ discount_code: "TWICE", customer: { email: "bob@example.com" } })
      ], { concurrency: "unbounded" })
      assert.strictEqual(faults.transactions, 1)
      assert.deepStrictEqual([changedBooking.total_cents, newBooking.total_cents], [1900, 900])
    })
  )
})

describe("a request in an enclosing transaction", () => {
  test(
    "is rolled back with the transaction",
    Effect.gen(function*() {
      const { book, confirm, statuses, transaction } = yield* fixture
      const work = Effect.zipRight(Effect.zipRight(book, confirm), Effect.fail("undone"))
      for (const owner of ["engine", "host"] as const) {
        const joinedWork = Effect.provideService(work, TransactionContext, { owner })
        assert.strictEqual(yield* Effect.flip(transaction(joinedWork)), "undone")
        assert.deepStrictEqual(yield* statuses, ["held"])
      }
    })
  )

  test(
    "fails if the transaction is not declared",
    Effect.gen(function*() {
      const { book, confirm, statuses, transaction } = yield* fixture
      for (const request of [book, confirm]) {
        const exit = yield* Effect.exit(transaction<unknown, unknown, never>(request))
        assert.match(String(defectOf(exit)), /wait for itself/)
      }
      assert.deepStrictEqual(yield* statuses, ["held"])
    })
  )
})
