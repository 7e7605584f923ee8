/**
 * Tests that a lock prevents changes to a row until the unit of work ends. If concurrent fibers read a counter under a
 * lock, yield, and increment it, no increment is lost.
 */
import type { Storage } from "@trailbook/core/storage"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { origin } from "../generator/moment.ts"
import { type Law, law } from "./Law.ts"
import { oneOfEach } from "./oneOfEach.ts"
import * as Store from "./Store.ts"
import { newUnfinished } from "./traces.ts"

type Each = Effect.Effect.Success<typeof oneOfEach>

const fibers = 8

/** Runs one increment per fiber, each in a unit of work that locks the counter. */
const counts = <Row>(
  lock: (each: Each) => Effect.Effect<Row, never, Storage>,
  numberIn: (row: Row) => number,
  put: (row: Row, next: number) => Effect.Effect<void, never, Storage>
): Law["check"] =>
() =>
  Effect.gen(function*() {
    const each = yield* oneOfEach
    const first = numberIn(yield* Store.run(lock(each)))
    const step = Store.run(Effect.gen(function*() {
      const row = yield* lock(each)
      yield* Effect.yieldNow()
      yield* put(row, numberIn(row) + 1)
    }))
    yield* Effect.all(Array.from({ length: fibers }, () => step), { concurrency: "unbounded", discard: true })
    assert.strictEqual(numberIn(yield* Store.run(lock(each))) - first, fibers, "updates were lost")
  })

const onlyRow = <Row>([row]: ReadonlyArray<Row>): Row => {
  if (row === undefined) throw new Error("The row does not exist.")
  return row
}

const bookingStep = (lock: (each: Each) => ReturnType<typeof Store.bookings.lock>) =>
  counts(
    (each) => Effect.map(lock(each), onlyRow),
    ({ booking }) => booking.totalCents,
    ({ booking }, totalCents) => Store.bookings.put([{ ...booking, totalCents }])
  )

const customerStep = (lock: (each: Each) => ReturnType<typeof Store.customers.lock>) =>
  counts(
    (each) => Effect.map(lock(each), onlyRow),
    ({ notes }) => Number(notes),
    (customer, next) => Store.customers.put([{ ...customer, notes: String(next) }])
  )

const sessionStep = (lock: (each: Each) => ReturnType<typeof Store.sessions.lock>) =>
  counts(
    (each) => Effect.map(lock(each), onlyRow),
    ({ capacity }) => capacity ?? 0,
    (session, capacity) => Store.sessions.put([{ ...session, capacity }])
  )

export const lockLaws = [
  law(
    "locks/org",
    "keeps an org unchanged while it is locked",
    counts(
      ({ org }) => Effect.map(Store.orgs.lock(org.id), Option.getOrThrow),
      ({ opsDailyCap }) => opsDailyCap,
      (org, opsDailyCap) => Store.orgs.put({ ...org, opsDailyCap })
    )
  ),

  law(
    "locks/offering",
    "keeps an offering unchanged while it is locked",
    counts(
      ({ offering }) => Effect.map(Store.offerings.lock([offering]), onlyRow),
      ({ capacity }) => capacity,
      (offering, capacity) => Store.offerings.put([{ ...offering, capacity }])
    )
  ),

  law(
    "locks/session",
    "keeps a session unchanged while it is locked",
    sessionStep(({ session }) => Store.sessions.lock([session]))
  ),
  law(
    "locks/coming",
    "keeps a session unchanged while its offering's upcoming sessions are locked",
    sessionStep(({ offering }) => Store.sessions.lockComing(offering, origin))
  ),

  law(
    "locks/customer",
    "keeps a customer unchanged while it is locked",
    customerStep(({ customer }) => Store.customers.lock([customer]))
  ),
  law(
    "locks/email",
    "keeps a customer unchanged while its email address is locked",
    customerStep(({ customer }) => Store.customers.lockByEmail([customer]))
  ),

  law(
    "locks/booking",
    "keeps a booking unchanged while it is locked",
    bookingStep(({ booking }) => Store.bookings.lock([booking]))
  ),
  law(
    "locks/in-session",
    "keeps a booking unchanged while its session's bookings are locked",
    bookingStep(({ session }) => Store.bookings.lockInSession(session))
  ),
  law(
    "locks/upcoming",
    "keeps a booking unchanged while its offering's upcoming bookings are locked",
    bookingStep(({ offering }) => Store.bookings.lockUpcoming(offering, origin))
  ),
  law(
    "locks/of-customer",
    "keeps a booking unchanged while its guest's bookings are locked",
    bookingStep(({ customer }) => Store.bookings.lockOfCustomer(customer, "", 10))
  ),

  law(
    "locks/unfinished",
    "keeps a resumable job unchanged while it is locked",
    counts(
      ({ org }) =>
        Effect.gen(function*() {
          const job = newUnfinished(org.id)
          if (Option.isNone(yield* Store.resumableJobs.find(job))) yield* Store.resumableJobs.put(job)
          return Option.getOrThrow(yield* Store.resumableJobs.lock(job))
        }),
      ({ cancelled }) => cancelled,
      (row, cancelled) => Store.resumableJobs.put({ ...row, cancelled })
    )
  ),

  law(
    "locks/order",
    "completes transactions that lock the same rows in opposite orders",
    function*() {
      const [{ booking, offering, session, customer }, two] = [yield* oneOfEach, yield* oneOfEach]
      const lockAll = (reorder: <Row>(rows: ReadonlyArray<Row>) => ReadonlyArray<Row>) =>
        Store.run(Effect.gen(function*() {
          yield* Store.offerings.lock(reorder([offering, two.offering]))
          yield* Store.sessions.lock(reorder([session, two.session]))
          yield* Store.bookings.lock(reorder([booking, two.booking]))
          yield* Store.customers.lock(reorder([customer, two.customer]))
        }))
      const pairs = Array.from({ length: 10 }, () => [lockAll((rows) => rows), lockAll((rows) => rows.toReversed())])
      const result = yield* Effect.timeoutOption(
        Effect.all(pairs.flat(), { concurrency: "unbounded", discard: true }),
        "5 seconds"
      )
      assert.isTrue(Option.isSome(result), "the transactions are deadlocked")
    }
  )
]
