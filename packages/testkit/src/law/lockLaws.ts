/**
 * A lock keeps a row from changing until the unit of work ends: fibers that each
 * read a number under it, give way, and store one more, lose no step.
 */
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { UnfinishedStore } from "@trailbook/core/port/UnfinishedStore"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { origin } from "../generator/moment.ts"
import { type Law, law } from "./Law.ts"
import { oneOfEach } from "./oneOfEach.ts"

type Each = Effect.Effect.Success<typeof oneOfEach>

const fibers = 8

/** Counts as many steps as there are fibers, each in a unit of work that locks what it counts. */
const counts = <Row>(
  lock: (each: Each) => Effect.Effect<Row, never, Storage>,
  numberIn: (row: Row) => number,
  put: (row: Row, next: number) => Effect.Effect<void, never, Storage>
): Law["check"] =>
() =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const each = yield* oneOfEach
    const first = numberIn(yield* run(lock(each)))
    const step = run(Effect.gen(function*() {
      const row = yield* lock(each)
      yield* Effect.yieldNow()
      yield* put(row, numberIn(row) + 1)
    }))
    yield* Effect.all(Array.from({ length: fibers }, () => step), { concurrency: "unbounded", discard: true })
    assert.strictEqual(numberIn(yield* run(lock(each))) - first, fibers, "steps were lost")
  })

const only = <Row>([row]: ReadonlyArray<Row>): Row => {
  if (row === undefined) throw new Error("The row is not there.")
  return row
}

const bookingStep = (lock: (each: Each, store: BookingStore["Type"]) => ReturnType<BookingStore["Type"]["lock"]>) =>
  counts(
    (each) => Effect.flatMap(BookingStore, (store) => Effect.map(lock(each, store), only)),
    ({ booking }) => booking.totalCents,
    ({ booking }, totalCents) => Effect.flatMap(BookingStore, (store) => store.put([{ ...booking, totalCents }]))
  )

const customerStep = (lock: (each: Each, store: CustomerStore["Type"]) => ReturnType<CustomerStore["Type"]["lock"]>) =>
  counts(
    (each) => Effect.flatMap(CustomerStore, (store) => Effect.map(lock(each, store), only)),
    ({ notes }) => Number(notes),
    (customer, next) => Effect.flatMap(CustomerStore, (store) => store.put([{ ...customer, notes: String(next) }]))
  )

const sessionStep = (lock: (each: Each, store: SessionStore["Type"]) => ReturnType<SessionStore["Type"]["lock"]>) =>
  counts(
    (each) => Effect.flatMap(SessionStore, (store) => Effect.map(lock(each, store), only)),
    ({ capacity }) => capacity ?? 0,
    (session, capacity) => Effect.flatMap(SessionStore, (store) => store.put([{ ...session, capacity }]))
  )

/**
 * @category laws
 */
export const lockLaws = [
  law(
    "locks/org",
    "an org does not change under its lock",
    counts(
      ({ org }) => Effect.flatMap(OrgStore, (store) => Effect.map(store.lock(org.id), Option.getOrThrow)),
      ({ opsDailyCap }) => opsDailyCap,
      (org, opsDailyCap) => Effect.flatMap(OrgStore, (store) => store.put({ ...org, opsDailyCap }))
    )
  ),

  law(
    "locks/offering",
    "an offering does not change under its lock",
    counts(
      ({ offering }) => Effect.flatMap(OfferingStore, (store) => Effect.map(store.lock([offering]), only)),
      ({ capacity }) => capacity,
      (offering, capacity) => Effect.flatMap(OfferingStore, (store) => store.put([{ ...offering, capacity }]))
    )
  ),

  law(
    "locks/session",
    "a session does not change under its lock",
    sessionStep(({ session }, store) => store.lock([session]))
  ),
  law(
    "locks/coming",
    "a session does not change under the lock of its offering's coming ones",
    sessionStep(({ offering }, store) => store.lockComing(offering, origin))
  ),

  law(
    "locks/customer",
    "a customer does not change under their lock",
    customerStep(({ customer }, store) => store.lock([customer]))
  ),
  law(
    "locks/email",
    "a customer does not change under the lock of their address",
    customerStep(({ customer }, store) => store.lockByEmail([customer]))
  ),

  law(
    "locks/booking",
    "a booking does not change under its lock",
    bookingStep(({ booking }, store) => store.lock([booking]))
  ),
  law(
    "locks/in-session",
    "a booking does not change under the lock of its session's",
    bookingStep(({ session }, store) => store.lockInSession(session))
  ),
  law(
    "locks/upcoming",
    "a booking does not change under the lock of its offering's upcoming ones",
    bookingStep(({ offering }, store) => store.lockUpcoming(offering, origin))
  ),
  law(
    "locks/of-customer",
    "a booking does not change under the lock of its guest's",
    bookingStep(({ customer }, store) => store.lockOfCustomer(customer, "", 10))
  ),

  law(
    "locks/unfinished",
    "work in parts does not change under its lock",
    counts(
      ({ org }) =>
        Effect.gen(function*() {
          const { find, lock, put } = yield* UnfinishedStore
          const key = { orgId: org.id, subject: "session" as const, id: "s" }
          const begun = { ...key, begunAt: origin, touchedAt: origin, cancelled: 0, refunded: 0 }
          if (Option.isNone(yield* find(key))) yield* put(begun)
          return Option.getOrThrow(yield* lock(key))
        }),
      ({ cancelled }) => cancelled,
      (row, cancelled) => Effect.flatMap(UnfinishedStore, ({ put }) => put({ ...row, cancelled }))
    )
  ),

  law(
    "locks/order",
    "units that name the same rows in another order do not wait for each other for ever",
    function*() {
      const { run } = yield* UnitOfWork
      const [{ booking, offering, session, customer }, two] = [yield* oneOfEach, yield* oneOfEach]
      const lockAll = (turn: <Row>(rows: ReadonlyArray<Row>) => ReadonlyArray<Row>) =>
        run(Effect.gen(function*() {
          yield* (yield* OfferingStore).lock(turn([offering, two.offering]))
          yield* (yield* SessionStore).lock(turn([session, two.session]))
          yield* (yield* BookingStore).lock(turn([booking, two.booking]))
          yield* (yield* CustomerStore).lock(turn([customer, two.customer]))
        }))
      const pairs = Array.from({ length: 10 }, () => [lockAll((rows) => rows), lockAll((rows) => rows.toReversed())])
      const ended = yield* Effect.timeoutOption(
        Effect.all(pairs.flat(), { concurrency: "unbounded", discard: true }),
        "5 seconds"
      )
      assert.isTrue(Option.isSome(ended), "units wait for each other")
    }
  )
]
