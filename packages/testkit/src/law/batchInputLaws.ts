import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import { sameRows } from "./compare.ts"
import { law } from "./Law.ts"
import { oneOfEach } from "./oneOfEach.ts"
import { openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

export const emptyInputLaws = [
  law("nothing/asked", "returns nothing for an empty list of keys", function*() {
    const answers = yield* Store.run(Effect.all([
      Store.bookings.findByIdempotencyKey([]),
      Store.bookings.lock([]),
      Store.bookings.overlapping([]),
      Store.bookings.unproven([]),
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
      Store.sessions.booked([]),
      Store.sessions.lock([])
    ]))
    assert.isTrue(answers.every(({ length }) => length === 0))
  }),

  law("nothing/written", "changes nothing for an empty list of rows", function*() {
    const { id } = yield* openOrg
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
    const { id: orgId } = yield* openOrg
    yield* Store.log.append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: origin }])
    assert.deepStrictEqual(yield* Store.log.latest(orgId, 0), [])
  })
]

const twice = <Key>(keys: ReadonlyArray<Key>): ReadonlyArray<Key> => [...keys, ...keys]

export const duplicateInputLaws = [
  law("repeated/found", "returns a row once even if the input contains its key twice", function*() {
    const towns = [yield* oneOfEach, yield* oneOfEach]
    const bookings = towns.map(({ booking }) => booking)
    const customers = towns.map(({ customer }) => customer)
    const offerings = towns.map(({ offering }) => offering)
    const sessions = towns.map(({ session }) => session)
    const madeWith = bookings.map(({ idempotency: { key }, orgId }) => ({ orgId, key }))
    yield* Store.run(Effect.gen(function*() {
      const recordLists = [
        yield* Store.bookings.find(twice(bookings)),
        yield* Store.bookings.lock(twice(bookings)),
        yield* Store.bookings.findByIdempotencyKey(twice(madeWith))
      ]
      for (const records of recordLists) sameRows(records.map(({ booking }) => booking), bookings)
      sameRows(yield* Store.offerings.find(twice(offerings)), offerings)
      sameRows(yield* Store.offerings.lock(twice(offerings)), offerings)
      sameRows(yield* Store.sessions.lock(twice(sessions)), sessions)
      sameRows(yield* Store.customers.find(twice(customers)), customers)
      sameRows(yield* Store.customers.lock(twice(customers)), customers)
      sameRows(yield* Store.customers.lockByEmail(twice(customers)), customers)
    }))
  }),

  law(
    "repeated/counted",
    "returns one count for each key or query in the input, including duplicates",
    function*() {
      const { booking: { endsAt, offeringId, orgId, startsAt }, session } = yield* oneOfEach
      const query = {
        orgId,
        offeringId,
        startsAfter: Instant.min,
        startsBefore: Instant.max,
        endsAfter: Instant.min,
        now: origin
      }
      const empty = { ...query, startsBefore: startsAt }
      const one = { taken: [{ startsAt, endsAt, bookings: 1, quantity: 1 }], lapsedAt: null }
      const none = { taken: [], lapsedAt: null }
      const seats = twice([session.id, orgId].map((id) => ({ orgId, id, now: origin })))
      yield* Store.run(Effect.gen(function*() {
        const seatCounts = [1, 0, 1, 0].map((booked) => ({ booked, lapsedAt: null }))
        assert.deepStrictEqual(yield* Store.sessions.booked(seats), seatCounts)
        assert.deepStrictEqual(yield* Store.bookings.overlapping(twice([query, empty])), twice([one, none]))
      }))
    }
  )
]
