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
import { newResumableJob, type SampleRows, seedOneOfEachResource } from "./sampleRows.ts"
import * as Store from "./Store.ts"

const fibers = 8

/** Runs one increment per fiber, each in a unit of work that locks the counter. */
const checkIncrements = <Row>(
  lock: (sample: SampleRows) => Effect.Effect<Row, never, Storage>,
  getCount: (row: Row) => number,
  put: (row: Row, next: number) => Effect.Effect<void, never, Storage>
): Law["check"] =>
() =>
  Effect.gen(function*() {
    const sample = yield* seedOneOfEachResource
    const initialCount = getCount(yield* Store.run(lock(sample)))
    const increment = Store.run(Effect.gen(function*() {
      const row = yield* lock(sample)
      yield* Effect.yieldNow()
      yield* put(row, getCount(row) + 1)
    }))
    yield* Effect.all(Array.from({ length: fibers }, () => increment), { concurrency: "unbounded", discard: true })
    assert.strictEqual(getCount(yield* Store.run(lock(sample))) - initialCount, fibers, "updates were lost")
  })

const onlyRow = <Row>([row]: ReadonlyArray<Row>): Row => {
  if (row === undefined) throw new Error("The row does not exist.")
  return row
}

const checkBookingLock = (lock: (sample: SampleRows) => ReturnType<typeof Store.bookings.lock>) =>
  checkIncrements(
    (sample) => Effect.map(lock(sample), onlyRow),
    ({ booking }) => booking.totalCents,
    ({ booking }, totalCents) => Store.bookings.put([{ ...booking, totalCents }])
  )

const checkSessionLock = (lock: (sample: SampleRows) => ReturnType<typeof Store.sessions.lock>) =>
  checkIncrements(
    (sample) => Effect.map(lock(sample), onlyRow),
    ({ capacity }) => capacity ?? 0,
    (session, capacity) => Store.sessions.put([{ ...session, capacity }])
  )

export const lockLaws = [
  law(
    "locks/offerings-of-org",
    "keeps an offering unchanged while all of its org's offerings are locked",
    checkIncrements(
      ({ offering }) =>
        Effect.zipRight(
          Store.offerings.lockOfOrg(offering.orgId),
          Effect.map(Store.offerings.find([offering]), onlyRow)
        ),
      ({ capacity }) => capacity,
      (offering, capacity) => Store.offerings.put([{ ...offering, capacity }])
    )
  ),

  law(
    "locks/coming",
    "keeps a session unchanged while its offering's upcoming sessions are locked",
    checkSessionLock(({ offering }) => Store.sessions.lockUpcoming(offering, origin))
  ),

  law(
    "locks/booking",
    "keeps a booking unchanged while it is locked",
    checkBookingLock(({ booking }) => Store.bookings.lock([booking]))
  ),
  law(
    "locks/in-session",
    "keeps a booking unchanged while its session's bookings are locked",
    checkBookingLock(({ session }) => Store.bookings.lockInSession(session))
  ),
  law(
    "locks/upcoming",
    "keeps a booking unchanged while its offering's upcoming bookings are locked",
    checkBookingLock(({ offering }) => Store.bookings.lockUpcoming(offering, origin))
  ),
  law(
    "locks/of-customer",
    "keeps a booking unchanged while its guest's bookings are locked",
    checkBookingLock(({ customer }) => Store.bookings.lockOfCustomer(customer, "", 10))
  ),

  law(
    "locks/unfinished",
    "keeps a resumable job unchanged while it is locked",
    checkIncrements(
      ({ org }) =>
        Effect.gen(function*() {
          const job = newResumableJob(org.id)
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
      const [{ booking, offering, session, customer }, other] = [
        yield* seedOneOfEachResource,
        yield* seedOneOfEachResource
      ]
      const lockAll = (reorder: <Row>(rows: ReadonlyArray<Row>) => ReadonlyArray<Row>) =>
        Store.run(Effect.gen(function*() {
          yield* Store.offerings.lock(reorder([offering, other.offering]))
          yield* Store.sessions.lock(reorder([session, other.session]))
          yield* Store.bookings.lock(reorder([booking, other.booking]))
          yield* Store.customers.lock(reorder([customer, other.customer]))
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
