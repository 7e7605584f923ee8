import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import { assertSameRows } from "./compare.ts"
import { law } from "./Law.ts"
import { seedOneOfEach } from "./seedOneOfEach.ts"
import { createEmptyOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

export const emptyInputLaws = [
  law("nothing/asked", "returns nothing for an empty list of keys", function*() {
    const results = yield* Store.run(Effect.all([
      Store.bookings.findByIdempotencyKey([]),
      Store.bookings.lock([]),
      Store.bookings.overlapping([]),
      Store.bookings.findUnproven([]),
      Store.customers.find([]),
      Store.files.lock("o", []),
      Store.files.ofMessages("o", []),
      Store.files.removeOfMessages("o", []),
      Store.log.heads([]),
      Store.customers.lock([]),
      Store.customers.lockByEmail([]),
      Store.offerings.find([]),
      Store.tasks.retry([], origin),
      Store.offerings.lock([]),
      Store.sessions.countBookedSeats([]),
      Store.sessions.lock([])
    ]))
    assert.isTrue(results.every(({ length }) => length === 0))
  }),

  law("nothing/written", "changes nothing for an empty list of rows", function*() {
    const { id } = yield* createEmptyOrg
    yield* Store.run(Effect.all([
      Store.offerings.put([]),
      Store.customers.put([]),
      Store.sessions.put([]),
      Store.bookings.put([]),
      Store.bookings.update([]),
      Store.files.use([]),
      Store.tasks.add([]),
      Store.tasks.done([]),
      Store.tasks.release([]),
      Store.log.rewrite(id, []),
      Store.log.append([])
    ]))
    assert.deepStrictEqual(yield* Store.log.latest(id, 10), [])
  }),

  law("nothing/latest", "returns no events if zero events are requested", function*() {
    const { id: orgId } = yield* createEmptyOrg
    yield* Store.log.append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: origin }])
    assert.deepStrictEqual(yield* Store.log.latest(orgId, 0), [])
  })
]

const repeat = <Key>(keys: ReadonlyArray<Key>): ReadonlyArray<Key> => [...keys, ...keys]

export const duplicateInputLaws = [
  law("repeated/found", "returns a row once even if the input contains its key twice", function*() {
    const orgs = [yield* seedOneOfEach, yield* seedOneOfEach]
    const bookings = orgs.map(({ booking }) => booking)
    const customers = orgs.map(({ customer }) => customer)
    const offerings = orgs.map(({ offering }) => offering)
    const sessions = orgs.map(({ session }) => session)
    const requestKeys = bookings.map(({ idempotency: { key }, orgId }) => ({ orgId, key }))
    yield* Store.run(Effect.gen(function*() {
      const recordLists = [
        yield* Store.bookings.find(repeat(bookings)),
        yield* Store.bookings.lock(repeat(bookings)),
        yield* Store.bookings.findByIdempotencyKey(repeat(requestKeys))
      ]
      for (const records of recordLists) assertSameRows(records.map(({ booking }) => booking), bookings)
      assertSameRows(yield* Store.offerings.find(repeat(offerings)), offerings)
      assertSameRows(yield* Store.offerings.lock(repeat(offerings)), offerings)
      assertSameRows(yield* Store.sessions.lock(repeat(sessions)), sessions)
      assertSameRows(yield* Store.customers.find(repeat(customers)), customers)
      assertSameRows(yield* Store.customers.lock(repeat(customers)), customers)
      assertSameRows(yield* Store.customers.lockByEmail(repeat(customers)), customers)
    }))
  }),

  law(
    "repeated/counted",
    "returns one count for each key or query in the input, including duplicates",
    function*() {
      const { booking: { endsAt, offeringId, orgId, startsAt }, session } = yield* seedOneOfEach
      const query = {
        orgId,
        offeringId,
        startsAfter: Instant.min,
        startsBefore: Instant.max,
        endsAfter: Instant.min,
        now: origin
      }
      const empty = { ...query, startsBefore: startsAt }
      const oneBooking = { bookedSpans: [{ startsAt, endsAt, bookings: 1, quantity: 1 }], lapsedAt: null }
      const noBookings = { bookedSpans: [], lapsedAt: null }
      const seats = repeat([session.id, orgId].map((id) => ({ orgId, id, now: origin })))
      yield* Store.run(Effect.gen(function*() {
        const seatCounts = [1, 0, 1, 0].map((booked) => ({ booked, lapsedAt: null }))
        assert.deepStrictEqual(yield* Store.sessions.countBookedSeats(seats), seatCounts)
        assert.deepStrictEqual(
          yield* Store.bookings.overlapping(repeat([query, empty])),
          repeat([oneBooking, noBookings])
        )
      }))
    }
  )
]
