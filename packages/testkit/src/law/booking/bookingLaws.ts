import {
  type Booking,
  type BookingRecord,
  type BookingStatus,
  bookingStatuses,
  type DepartureTotals,
  immutableBookingFields,
  isLive,
  type UnprovenBookingsQuery
} from "@trailbook/core/booking"
import { getDecisionTime } from "@trailbook/core/capacity"
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { booking, withStatus } from "../../generator/booking.ts"
import {
  type EdgeMoment,
  edgeMoment,
  makeOptionalFilter,
  moment,
  origin,
  resolveEdgeMoment
} from "../../generator/moment.ts"
import { orgData } from "../../generator/orgData.ts"
import { lawForAll, makeLawsWithStoredData } from "../Law.ts"
import {
  assertAscending,
  assertFinds,
  assertFindsNothing,
  assertSameRows,
  compareById,
  compareByStart,
  readAllPages,
  toBookingRecord
} from "../rowAssertions.ts"
import { newId, type SeededOrg, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const dayMs = 86_400_000

interface Filters {
  readonly from: EdgeMoment | undefined
  readonly to: EdgeMoment | undefined
  readonly status: BookingStatus | undefined
  readonly order: "asc" | "desc"
  readonly by: "offering" | "customer" | "session" | "reference" | "nobody"
}

const filters: FastCheck.Arbitrary<Filters> = FastCheck.record({
  from: makeOptionalFilter(edgeMoment),
  to: makeOptionalFilter(edgeMoment),
  status: makeOptionalFilter(FastCheck.constantFrom(...bookingStatuses)),
  order: FastCheck.constantFrom("asc" as const, "desc" as const),
  by: FastCheck.constantFrom("nobody", "nobody", "offering", "customer", "session", "reference")
})

const toQuery = (
  { by, from, to, ...filters }: Filters,
  { bookings, customers, offerings, orgId, sessions }: SeededOrg
) => ({
  ...filters,
  from: resolveEdgeMoment(from, bookings.map(({ startsAt }) => startsAt)),
  to: resolveEdgeMoment(to, bookings.map(({ startsAt }) => startsAt)),
  orgId,
  offeringId: by === "offering" ? offerings[0]?.id : undefined,
  customerId: by === "customer" ? customers[0]?.id : undefined,
  sessionId: by === "session" ? sessions[0]?.id : undefined,
  reference: by === "reference" ? bookings[0]?.reference : undefined
})

const matchesQuery = (query: ReturnType<typeof toQuery>) => (booking: Booking): boolean =>
  booking.startsAt >= (query.from ?? -Infinity) && booking.startsAt < (query.to ?? Infinity) &&
  (["status", "offeringId", "customerId", "sessionId", "reference"] as const).every((field) =>
    query[field] === undefined || query[field] === booking[field]
  )

const sortByStart = (bookings: ReadonlyArray<Booking>, order: "asc" | "desc"): ReadonlyArray<Booking> => {
  const ascending = bookings.toSorted(compareByStart)
  return order === "asc" ? ascending : ascending.toReversed()
}

/** Returns the keys of existing bookings, unknown keys, and existing keys in the wrong org. */
const makeKeys = ({ bookings, orgId }: SeededOrg) => [
  { orgId: newId(), id: bookings[0]?.id ?? newId() },
  ...bookings.toReversed(),
  { orgId, id: newId() }
]

/** Returns the bookings that are canceled when an offering is deleted. */
const findUpcoming = ({ bookings }: SeededOrg, offering: string, now: Instant.Instant): ReadonlyArray<Booking> =>
  bookings.filter(({ offeringId, startsAt, status }) =>
    offeringId === offering && (status === "held" || (status === "confirmed" && startsAt > now))
  )

/** Computes each departure's totals from all bookings. */
const computeDepartures = (bookings: ReadonlyArray<Booking>): ReadonlyArray<DepartureTotals> => {
  const totals = bookings.map((booking): DepartureTotals => {
    const rows = bookings.filter(({ offeringId, startsAt }) =>
      offeringId === booking.offeringId && startsAt === booking.startsAt
    )
    const holds = rows.filter(({ status }) => status === "held")
    return {
      offeringId: booking.offeringId,
      startsAt: booking.startsAt,
      endsAt: rows.map(({ endsAt }) => endsAt).toSorted((a, b) => b - a)[0] ?? booking.endsAt,
      firstId: rows.map(({ id }) => id).toSorted()[0] ?? booking.id,
      bookings: rows.length,
      quantity: seats(rows),
      heldBookings: holds.length,
      heldQuantity: seats(holds)
    }
  })
  return [...new Map(totals.map((departure) => [`${departure.startsAt} ${departure.offeringId}`, departure])).values()]
    .toSorted((a, b) => a.startsAt - b.startsAt || (a.offeringId < b.offeringId ? -1 : 1))
}

const makeDepartingQuery = (
  { bookings, orgId }: SeededOrg,
  edges: readonly [EdgeMoment, EdgeMoment],
  now: Instant.Instant
) => {
  const [from = origin, to = origin] = edges.map((edge) =>
    resolveEdgeMoment(edge, bookings.map(({ startsAt }) => startsAt))
  )
  const live = bookings.filter((booking) => isLive(booking, now) && booking.startsAt >= from && booking.startsAt < to)
  return { bookingQuery: { orgId, from, to, now }, live }
}

const seats = (rows: ReadonlyArray<Booking>) => rows.reduce((total, { quantity }) => total + quantity, 0)

const toPosition = ({ booking: { id, startsAt: at } }: BookingRecord) => ({ at, id })

const seededOrgLaw = makeLawsWithStoredData(seedOrg)

/** Returns bookings in ID order, with their offerings and guests. */
const toSortedRecords = (seededOrg: SeededOrg, bookings: ReadonlyArray<Booking>): ReadonlyArray<BookingRecord> =>
  bookings.toSorted(compareById).map(toBookingRecord(seededOrg))

/** Asserts that a secret finds its booking, and that no other text finds one. */
const assertFindsBySecret = (
  seededOrg: SeededOrg,
  getSecret: (booking: Booking) => string,
  find: typeof Store.bookings.findByHandle
) =>
  Effect.gen(function*() {
    for (const booking of seededOrg.bookings) {
      const secret = getSecret(booking)
      yield* assertFinds(find(secret), toBookingRecord(seededOrg)(booking))
      const differentCase = secret.toUpperCase()
      if (differentCase !== secret) yield* assertFindsNothing(find(differentCase))
    }
    for (const unknown of [newId(), ""]) yield* assertFindsNothing(find(unknown))
  })

const pickFixed = Struct.pick(...immutableBookingFields)

/** Picks the fields that a replacement in another state must share. */
const pickIdentity = Struct.pick("customerId", "handle", "id", "idempotency", "offeringId", "orgId", "reference")

const toSortedIds = (rows: ReadonlyArray<Booking>): ReadonlyArray<string> => rows.map(({ id }) => id).toSorted()

export const bookingLaws = [
  seededOrgLaw(
    "bookings/find",
    "returns a booking in full, with its offering and guest, and only to its own org",
    FastCheck.tuple(orgData(6)),
    function*(seededOrg) {
      for (const booking of seededOrg.bookings) {
        assert.deepStrictEqual(yield* Store.bookings.find([booking]), [toBookingRecord(seededOrg)(booking)])
        assert.deepStrictEqual(yield* Store.bookings.find([{ ...booking, orgId: newId() }]), [])
      }
      const expected = seededOrg.bookings.map(toBookingRecord(seededOrg))
      assertSameRows(yield* Store.bookings.find(makeKeys(seededOrg)), expected)
      assertSameRows(
        yield* Store.bookings.find([...seededOrg.bookings, { orgId: seededOrg.orgId, id: newId() }]),
        expected
      )
      assertSameRows(
        yield* Store.bookings.lock(makeKeys(seededOrg)),
        seededOrg.bookings.map(toBookingRecord(seededOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/put",
    "replaces a booking when it is stored again, regardless of the old and new states",
    FastCheck.tuple(orgData(4), booking),
    function*(seededOrg, replacement) {
      const [first, ...others] = seededOrg.bookings
      if (first === undefined) return
      const expected: Booking = { ...replacement, ...pickIdentity(first) }
      yield* Store.bookings.put([expected])
      assertSameRows(
        yield* Store.bookings.lock(seededOrg.bookings),
        [expected, ...others].map(toBookingRecord(seededOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/update",
    "updates every mutable field, but only in the given bookings, regardless of their old and new states",
    FastCheck.tuple(orgData(4), booking, booking),
    function*(seededOrg, one, other) {
      const [first, ...others] = seededOrg.bookings
      if (first === undefined) return
      const updatedBookings = others.map((booking, index) => ({
        ...(index % 2 === 0 ? one : other),
        ...pickFixed(booking)
      }))
      yield* Store.bookings.update(updatedBookings)
      assertSameRows(
        yield* Store.bookings.lock(seededOrg.bookings),
        [first, ...updatedBookings].map(toBookingRecord(seededOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/record",
    "returns a booking with its current offering and guest",
    FastCheck.tuple(orgData(4)),
    function*(seededOrg) {
      const renamedOrg = {
        ...seededOrg,
        offerings: seededOrg.offerings.map((offering) => ({ ...offering, name: `${offering.name}!` })),
        customers: seededOrg.customers.map((customer) => ({ ...customer, name: `${customer.name}!`, phone: "911" }))
      }
      yield* Store.offerings.put(renamedOrg.offerings)
      yield* Store.customers.put(renamedOrg.customers)
      assertSameRows(
        yield* Store.bookings.lock(seededOrg.bookings),
        seededOrg.bookings.map(toBookingRecord(renamedOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/idempotency",
    "finds a booking by its idempotency key, but only in its own org",
    FastCheck.tuple(orgData(6)),
    function*(seededOrg) {
      const keys = seededOrg.bookings.map(({ idempotency, orgId }) => ({ orgId, key: idempotency.key }))
      assertSameRows(
        yield* Store.bookings.findByIdempotencyKey([{ orgId: seededOrg.orgId, key: newId() }, ...keys]),
        seededOrg.bookings.map(toBookingRecord(seededOrg))
      )
      assert.deepStrictEqual(
        yield* Store.bookings.findByIdempotencyKey(keys.map(({ key }) => ({ orgId: newId(), key }))),
        []
      )
    }
  ),

  seededOrgLaw(
    "bookings/handle",
    "finds a booking by its exact handle, in any org and state",
    FastCheck.tuple(orgData(6)),
    (seededOrg) => assertFindsBySecret(seededOrg, ({ handle }) => handle, Store.bookings.findByHandle)
  ),

  seededOrgLaw(
    "bookings/check-in-token",
    "finds a booking by its exact check-in token, in any org and state",
    FastCheck.tuple(orgData(6)),
    (seededOrg) => assertFindsBySecret(seededOrg, ({ checkInToken }) => checkInToken, Store.bookings.findByCheckInToken)
  ),

  seededOrgLaw(
    "bookings/list",
    "lists the bookings that match the filters and start in [from, to), by start and ID in either direction",
    FastCheck.tuple(orgData(20), filters),
    function*(seededOrg, filters) {
      const query = toQuery(filters, seededOrg)
      assert.deepStrictEqual(
        yield* Store.bookings.list({ ...query, limit: 1000 }),
        sortByStart(seededOrg.bookings.filter(matchesQuery(query)), query.order).map(toBookingRecord(seededOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/pages",
    "returns every booking exactly once for any filter and page size",
    FastCheck.tuple(orgData(20), filters, FastCheck.integer({ min: 1, max: 21 })),
    function*(seededOrg, filters, limit) {
      const query = toQuery(filters, seededOrg)
      const pages = yield* readAllPages(limit, (after) => Store.bookings.list({ ...query, after, limit }), toPosition)
      assert.deepStrictEqual(
        pages,
        sortByStart(seededOrg.bookings.filter(matchesQuery(query)), query.order).map(toBookingRecord(seededOrg))
      )
    }
  ),

  seededOrgLaw(
    "bookings/newest",
    "lists each of an org's bookings once in descending ID order, for any page size",
    FastCheck.tuple(orgData(20), FastCheck.integer({ min: 1, max: 21 })),
    function*(seededOrg, limit) {
      const { bookings, orgId } = seededOrg
      const pages = yield* readAllPages(
        limit,
        (after: string | undefined) => Store.bookings.newest({ orgId, after, limit }),
        ({ booking }) => booking.id
      )
      assert.deepStrictEqual(pages, toSortedRecords(seededOrg, bookings).toReversed())
    }
  ),

  seededOrgLaw(
    "bookings/lock-in-session",
    "locks a session's held and confirmed bookings in ID order",
    FastCheck.tuple(orgData(12)),
    function*(seededOrg) {
      for (const { id, orgId } of seededOrg.sessions) {
        const sessionBookings = seededOrg.bookings.filter(({ sessionId, status }) =>
          sessionId === id && status !== "cancelled"
        )
        const expected = toSortedRecords(seededOrg, sessionBookings)
        assert.deepStrictEqual(yield* Store.bookings.lockInSession({ orgId, id }), expected)
      }
    }
  ),

  seededOrgLaw(
    "bookings/lock-upcoming",
    "locks an offering's holds and upcoming confirmed bookings in ID order",
    FastCheck.tuple(orgData(12), moment),
    function*(seededOrg, now) {
      for (const { id, orgId } of seededOrg.offerings) {
        const expected = toSortedRecords(seededOrg, findUpcoming(seededOrg, id, now))
        assert.deepStrictEqual(yield* Store.bookings.lockUpcoming({ orgId, id }, now), expected)
      }
    }
  ),

  seededOrgLaw(
    "bookings/count-upcoming",
    "counts an offering's upcoming bookings page by page: held, confirmed, expired, and paid",
    FastCheck.tuple(orgData(12), moment, FastCheck.integer({ min: 1, max: 13 })),
    function*(seededOrg, now, limit) {
      for (const { id, orgId } of seededOrg.offerings) {
        const bookings = findUpcoming(seededOrg, id, now)
        const holds = bookings.filter(({ status }) => status === "held")
        // A place keeps the latest recorded expiry.
        const findPlace = ({ offeringId, sessionId }: Booking) =>
          seededOrg.sessions.find((session) => session.id === sessionId) ??
            seededOrg.offerings.find((offering) => offering.id === offeringId) ?? { judgedAt: now }
        const live = holds.filter((booking) => isLive(booking, getDecisionTime(now, findPlace(booking)))).length
        const counts = { held: 0, confirmed: 0, expired: 0, paid: 0 }
        for (const status of ["held", "confirmed"] as const) {
          let after: Position | undefined
          do {
            const page = yield* Store.bookings.countUpcoming({ orgId, id }, { status, now, after, limit })
            assert.isAtMost(page.count, limit)
            counts[status] += page.count
            counts.expired += page.expired
            counts.paid += page.paid
            assert.isAtMost(counts[status], bookings.length, "the last page was not reached")
            after = page.next
          } while (after !== undefined)
        }
        assert.deepStrictEqual(counts, {
          held: holds.length,
          confirmed: bookings.length - holds.length,
          expired: holds.length - live,
          paid: bookings.filter(({ paymentIntentId }) => paymentIntentId !== null).length
        })
      }
    }
  ),

  seededOrgLaw(
    "bookings/lock-of-customer",
    "locks all of a guest's bookings in pages, in ID order",
    FastCheck.tuple(orgData(12), FastCheck.integer({ min: 1, max: 13 })),
    function*(seededOrg, limit) {
      for (const { id, orgId } of seededOrg.customers) {
        const guestBookings = seededOrg.bookings.filter(({ customerId }) => customerId === id)
        const lockedRows = yield* readAllPages(
          limit,
          (after: string = "") => Store.bookings.lockOfCustomer({ orgId, id }, after, limit),
          ({ booking }) => booking.id
        )
        assert.deepStrictEqual(lockedRows, toSortedRecords(seededOrg, guestBookings))
      }
    }
  ),

  lawForAll(
    "bookings/holds-expired",
    "returns all orgs' holds that expired at or before a given time, oldest first, up to a limit",
    FastCheck.tuple(orgData(8), moment, FastCheck.integer({ min: 1, max: 5 })),
    function*([org, now, limit]) {
      // Expired holds are listed across orgs, so seed two orgs. Their twin orgs have no holds.
      const [firstOrg, secondOrg] = [yield* seedOrg(org), yield* seedOrg(org)]
      const bookings = [...firstOrg.bookings, ...secondOrg.bookings]
      const expiredHolds = bookings.filter((booking) => booking.status === "held" && booking.expiresAt <= now)
      const holds = yield* Store.bookings.holdsExpiredBy(now, 1000)
      assertSameRows(
        holds.map(({ id, orgId }) => ({ id, orgId })),
        expiredHolds.map(({ id, orgId }) => ({ id, orgId }))
      )
      assertAscending(holds.map(({ id, orgId }) => {
        const hold = expiredHolds.find((booking) => booking.id === id && booking.orgId === orgId)
        return hold?.status === "held" ? hold.expiresAt : 0
      }))
      assert.deepStrictEqual(yield* Store.bookings.holdsExpiredBy(now, limit), holds.slice(0, limit))
      // Confirm the holds, so that the next case does not find them.
      yield* Store.bookings.put(bookings.map((booking) => withStatus(booking, { status: "confirmed" })))
    }
  ),

  seededOrgLaw(
    "bookings/departing",
    "sums live bookings without a session by start and offering, for starts in [from, to)",
    FastCheck.tuple(orgData(20), edgeMoment, edgeMoment, moment, FastCheck.integer({ min: 1, max: 6 })),
    function*(seededOrg, first, last, now, limit) {
      const query = makeDepartingQuery(seededOrg, [first, last], now)
      const expected = computeDepartures(
        query.live.filter(({ offeringId, sessionId }) =>
          sessionId === null && seededOrg.offerings.find(({ id }) => id === offeringId)?.kind !== "class"
        )
      )
      assert.deepStrictEqual(yield* Store.bookings.listDepartures({ ...query.bookingQuery, limit: 1000 }), expected)
      assert.deepStrictEqual(
        yield* Store.bookings.listDepartures({ ...query.bookingQuery, limit }),
        expected.slice(0, limit)
      )
      assert.deepStrictEqual(
        yield* Store.bookings.listDepartures({ ...query.bookingQuery, orgId: newId(), limit: 1000 }),
        []
      )
    }
  ),

  seededOrgLaw(
    "bookings/held-seats",
    "sums the held seats per session for sessions that start in [from, to)",
    FastCheck.tuple(orgData(20), edgeMoment, edgeMoment, moment),
    function*(seededOrg, first, last, now) {
      const { bookingQuery, live } = makeDepartingQuery(seededOrg, [first, last], now)
      const heldSeats = yield* Store.bookings.heldSeats(bookingQuery)
      const expected = seededOrg.sessions.flatMap(({ id }) => {
        const quantity = seats(live.filter(({ sessionId, status }) => sessionId === id && status === "held"))
        return quantity === 0 ? [] : [{ sessionId: id, quantity }]
      })
      const byName = (a: { readonly sessionId: string }, b: { readonly sessionId: string }) =>
        a.sessionId < b.sessionId ? -1 : 1
      assert.deepStrictEqual(heldSeats.toSorted(byName), expected.toSorted(byName))
      assert.deepStrictEqual(yield* Store.bookings.heldSeats({ ...bookingQuery, orgId: newId() }), [])
    }
  ),

  seededOrgLaw(
    "bookings/unproven",
    "finds live unproven bookings at a place, or from a network if they were created after a given time",
    FastCheck.tuple(orgData(20), moment, moment, moment),
    function*({ bookings, offerings, orgId, sessions }, now, before, after) {
      const live = bookings.filter((booking) => booking.unproven !== null && isLive(booking, now))
      const bookingQuery = { orgId, now }
      const findIds = (query: UnprovenBookingsQuery) =>
        Effect.map(Store.run(Store.bookings.findUnproven([query])), (rows) => toSortedIds(rows))
      for (const network of ["network-a", "network-b"]) {
        const query = { ...bookingQuery, network, madeAfter: before }
        const expected = live.filter((booking) => booking.unproven?.network === network && booking.createdAt > before)
        assert.deepStrictEqual(yield* findIds(query), toSortedIds(expected))
        assert.deepStrictEqual(yield* findIds({ ...query, orgId: newId() }), [])
      }
      for (const { id: sessionId } of sessions) {
        const expected = live.filter((booking) => booking.sessionId === sessionId)
        assert.deepStrictEqual(yield* findIds({ ...bookingQuery, sessionId }), toSortedIds(expected))
      }
      for (const { id: offeringId } of offerings) {
        const query = { ...bookingQuery, offeringId, startsBefore: after, endsAfter: before }
        const expected = live.filter((booking) =>
          booking.offeringId === offeringId && booking.sessionId === null && booking.startsAt < after &&
          booking.endsAt > before
        )
        assert.deepStrictEqual(yield* findIds(query), toSortedIds(expected))
        assert.deepStrictEqual(yield* findIds({ ...query, orgId: newId() }), [])
      }
    }
  ),

  seededOrgLaw(
    "bookings/forget-networks",
    "erases only the network, and only from bookings created up to a given time",
    FastCheck.tuple(orgData(20), moment),
    function*({ bookings, orgId }, until) {
      const count = (rows: ReadonlyArray<Booking>) =>
        rows.filter(({ unproven }) => typeof unproven?.network === "string").length
      const oldBookings = bookings.filter(({ createdAt }) => createdAt <= until)
      let batchCount = 0
      while ((yield* Store.run(Store.bookings.forgetNetworks(until, 3))) > 0) batchCount++
      assert.isAtLeast(batchCount, Math.ceil(count(oldBookings) / 3))
      const records = yield* Store.bookings.find(bookings.map(({ id }) => ({ orgId, id })))
      const bookingsById = new Map(records.map(({ booking }) => [booking.id, booking]))
      for (const booking of bookings) {
        const expected = booking.createdAt <= until && booking.unproven !== null
          ? { ...booking, unproven: { ...booking.unproven, network: null } }
          : booking
        assert.deepStrictEqual(bookingsById.get(booking.id), expected)
      }
    }
  ),

  seededOrgLaw(
    "bookings/coming",
    "returns the first confirmed bookings for each requested session or start",
    FastCheck.tuple(orgData(20), FastCheck.integer({ min: 1, max: 4 })),
    function*({ bookings, customers, orgId }, limit) {
      const queries = bookings.map(({ offeringId, sessionId, startsAt }) => ({
        orgId,
        offeringId,
        sessionId,
        startsAt
      }))
      const expected = queries.map(({ offeringId, sessionId, startsAt }) =>
        bookings
          .filter((booking) => booking.status === "confirmed" && booking.sessionId === sessionId)
          .filter((booking) =>
            sessionId !== null || (booking.offeringId === offeringId && booking.startsAt === startsAt)
          )
          .toSorted(compareByStart)
          .map(({ customerId, quantity }) => {
            const guest = customers.find(({ id }) => id === customerId)
            return { name: guest?.name ?? "", email: guest?.email ?? "", quantity }
          })
      )
      assert.deepStrictEqual(yield* Store.bookings.listFirstGuests([...queries, ...queries], 1000), [
        ...expected,
        ...expected
      ])
      assert.deepStrictEqual(
        yield* Store.bookings.listFirstGuests(queries, limit),
        expected.map((all) => all.slice(0, limit))
      )
      const otherOrgQueries = queries.map((query) => ({ ...query, orgId: newId() }))
      assert.deepStrictEqual(yield* Store.bookings.listFirstGuests(otherOrgQueries, 1000), queries.map(() => []))
    }
  ),

  seededOrgLaw(
    "bookings/count-confirmed",
    "counts an org's confirmed bookings that were created in each interval [from, to)",
    FastCheck.tuple(orgData(15), FastCheck.array(FastCheck.tuple(edgeMoment, edgeMoment), { maxLength: 4 })),
    function*({ bookings, orgId }, edges) {
      const toInstant = (edge: EdgeMoment) =>
        resolveEdgeMoment(edge, bookings.map(({ createdAt }) => createdAt)) ?? origin
      const spans = edges.map(([from, to]) => ({ from: toInstant(from), to: toInstant(to) }))
      const counts = spans.map(({ from, to }) =>
        bookings.filter(({ createdAt, status }) => status === "confirmed" && createdAt >= from && createdAt < to).length
      )
      assert.deepStrictEqual(yield* Store.bookings.countConfirmed(orgId, spans), counts)
    }
  ),

  seededOrgLaw(
    "bookings/count-days",
    "keeps daily counts correct when bookings are created, confirmed, or canceled",
    FastCheck.tuple(orgData(8), FastCheck.array(booking, { minLength: 8, maxLength: 8 }), FastCheck.nat({ max: 40 })),
    function*({ bookings, orgId, twinId }, replacements, days) {
      const changedRows = bookings.map((before, at): Booking => ({
        ...replacements[at] ?? before,
        ...pickIdentity(before)
      }))
      for (const rows of [bookings, changedRows]) {
        if (rows !== bookings && rows.length > 0) yield* Store.bookings.put(rows)
        for (const createdAt of [...bookings, ...changedRows].map(({ createdAt }) => createdAt)) {
          const midnight = Instant.make(createdAt - createdAt % dayMs)
          const to = Instant.make(midnight + (1 + days) * dayMs)
          const confirmedRows = rows.filter((booking) =>
            booking.status === "confirmed" && booking.createdAt >= midnight && booking.createdAt < to
          )
          assert.deepStrictEqual(yield* Store.bookings.countConfirmed(orgId, [{ from: midnight, to }]), [
            confirmedRows.length
          ])
        }
      }
      // The twin org has the same bookings, but all are confirmed.
      const allTime = [{ from: Instant.min, to: Instant.max }]
      assert.deepStrictEqual(yield* Store.bookings.countConfirmed(twinId, allTime), [bookings.length])
    }
  )
]
