import {
  type Booking,
  type BookingRecord,
  type BookingStore,
  type DepartureQuery,
  type DepartureTotals,
  isLive,
  type OverlapQuery,
  type Overlaps,
  type UnprovenBookingsQuery
} from "@trailbook/core/booking"
import { type BookedSpan, getDecisionTime } from "@trailbook/core/capacity"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { OrgKey } from "@trailbook/core/offering"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { lastEnd } from "../lastEnd.ts"
import { byId, byStart, page, starts } from "../page.ts"
import { within } from "../Rows.ts"
import { ConstraintViolation, findRows, get, inGroup, inGroups, type State } from "../State.ts"

export const bookingStore = ({ read, write }: Journal): BookingStore["Type"] => {
  const records = (query: (state: State) => ReadonlyArray<Booking>) =>
    read((state) => query(state).map((booking) => recordOf(state, booking)))
  const put: BookingStore["Type"]["put"] = (rows) => write(() => rows.map((row) => ({ table: "bookings", row })))
  return {
    find: (keys) => records(({ bookings }) => findRows(bookings, keys)),
    findByIdempotencyKey: (keys) =>
      records(({ bookings }) => inGroups(bookings, keys.map(({ key, orgId }) => `made with ${within(orgId, key)}`))),
    findByHandle: (handle) =>
      Effect.map(
        records(({ bookings }) => inGroup(bookings, `handle ${handle}`)),
        ([row]) => Option.fromNullable(row)
      ),
    findByCheckInToken: (token) =>
      Effect.map(
        records(({ bookings }) => inGroup(bookings, `check-in token ${token}`)),
        ([row]) => Option.fromNullable(row)
      ),
    list: ({ customerId, offeringId, orgId, q, reference, sessionId, status, ...query }) =>
      records(({ bookings, customers }) => {
        const search = q === undefined ? undefined : parseSearchQuery(q)
        const rows = inGroup(bookings, `org ${orgId}`).filter(starts(query)).filter((row) =>
          (status === undefined || row.status === status) &&
          (offeringId === undefined || row.offeringId === offeringId) &&
          (customerId === undefined || row.customerId === customerId) &&
          (sessionId === undefined || row.sessionId === sessionId) &&
          (reference === undefined || row.reference === reference) &&
          (search === undefined ||
            matchesSearch(search, wordsOf(get(customers, within(orgId, row.customerId))), [row.reference]))
        )
        return page(rows, byStart, query)
      }),
    newest: ({ after, limit, orgId }) =>
      records(({ bookings }) =>
        byId(inGroup(bookings, `org ${orgId}`))
          .filter(({ id }) => after === undefined || id < after)
          .toReversed()
          .slice(0, limit)
      ),
    lock: (keys) => records(({ bookings }) => findRows(bookings, keys)),
    lockInSession: ({ id, orgId }) =>
      records(({ bookings }) => byId(inGroup(bookings, `session ${within(orgId, id)}`))),
    lockUpcoming: (key, now) => records((state) => byId(upcoming(state, key, now))),
    countUpcoming: (key, { after, limit, now, status }) =>
      read((state) => {
        const upcomingRows = upcoming(state, key, now).filter((row) => row.status === status)
        const rows = page(upcomingRows, byStart, { after, limit })
        const last = rows.at(-1)
        return {
          count: rows.length,
          expired: rows.filter((row) => !isLive(row, getDecisionTime(now, placeOf(state, row)))).length,
          paid: rows.filter(({ paymentIntentId }) => paymentIntentId !== null).length,
          next: last === undefined || rows.length < limit ? undefined : byStart(last)
        }
      }),
    lockOfCustomer: ({ id, orgId }, after, limit) =>
      records(({ bookings }) =>
        byId(inGroup(bookings, `customer ${within(orgId, id)}`)).filter((row) => row.id > after).slice(0, limit)
      ),
    nextOf: (customers, now) =>
      records(({ bookings }) =>
        [...new Set(customers.map(({ id, orgId }) => `customer ${within(orgId, id)}`))].flatMap((group) => {
          const guestRows = page(inGroup(bookings, group), byStart, { limit: Infinity })
          return guestRows.find((row) => isLive(row, now) && row.endsAt > now) ?? guestRows.at(-1) ?? []
        })
      ),
    overlapping: (queries) => read((state) => queries.map((query) => overlapsOf(state, query))),
    findUnproven: (queries) => read((state) => [...new Set(queries.flatMap((query) => unproven(state, query)))]),
    forgetNetworks: (madeBefore, limit) =>
      Effect.gen(function*() {
        const rows = yield* read(({ bookings }) =>
          page(
            inGroup(bookings, "networks").filter(({ createdAt }) => createdAt <= madeBefore),
            ({ createdAt: at, id, orgId }) => ({ at, id: within(orgId, id) }),
            { limit }
          )
        )
        const forgotten = rows.map((row): Booking => ({
          ...row,
          unproven: row.unproven && { ...row.unproven, network: null }
        }))
        yield* write(() => forgotten.map((row) => ({ table: "bookings", row })))
        return rows.length
      }),
    put,
    update: put,
    holdsExpiredBy: (moment, limit) =>
      read(({ bookings }) => {
        const holds = inGroup(bookings, "held").filter((row) => row.status === "held")
        const expiredHolds = holds.filter(({ expiresAt }) => expiresAt <= moment)
        return page(expiredHolds, ({ expiresAt: at, id, orgId }) => ({ at, id: within(orgId, id) }), { limit })
          .map(({ id, orgId }) => ({ orgId, id }))
      }),
    listDepartures: ({ limit, ...query }) =>
      read((state) => {
        const rows = liveWithin(state, query).filter(({ offeringId, orgId, sessionId }) =>
          sessionId === null && get(state.offerings, within(orgId, offeringId))?.kind !== "class"
        )
        const name = ({ offeringId, startsAt }: Booking) => `${String(startsAt).padStart(16, "0")} ${offeringId}`
        const names = [...new Set(rows.map(name))].toSorted().slice(0, limit)
        return names.map((one) => departing(rows.filter((row) => name(row) === one)))
      }),
    heldSeats: (query) =>
      read((state) => {
        const holds = liveWithin(state, query).filter(({ status }) => status === "held")
        return [...new Set(holds.map(({ sessionId }) => sessionId))].filter((id) => id !== null).map((sessionId) => ({
          sessionId,
          quantity: seats(holds.filter((row) => row.sessionId === sessionId))
        }))
      }),
    listFirstGuests: (queries, limit) =>
      read((state) =>
        queries.map(({ offeringId, orgId, sessionId, startsAt }) =>
          page(
            inGroup(state.bookings, `org ${orgId}`).filter((row) =>
              row.status === "confirmed" && row.sessionId === sessionId &&
              (sessionId !== null || (row.offeringId === offeringId && row.startsAt === startsAt))
            ),
            byStart,
            { after: undefined, limit }
          )
            .map((row) => recordOf(state, row))
            .map(({ booking: { quantity }, customer: { email, name } }) => ({ name, email, quantity }))
        )
      ),
    countConfirmed: (orgId, spans) =>
      read(({ bookings }) => {
        const confirmedRows = inGroup(bookings, `org ${orgId}`).filter(({ status }) => status === "confirmed")
        return spans.map(({ from, to }) =>
          confirmedRows.filter((row) => row.createdAt >= from && row.createdAt < to).length
        )
      })
  }
}

const unproven = ({ bookings }: State, query: UnprovenBookingsQuery): ReadonlyArray<Booking> => {
  const { now, orgId } = query
  if ("network" in query) {
    return inGroup(bookings, `network ${within(orgId, query.network)}`)
      .filter((row) => isLive(row, now) && row.createdAt > query.madeAfter)
  }
  const rows = "sessionId" in query
    ? inGroup(bookings, `session ${within(orgId, query.sessionId)}`)
    : inGroup(bookings, `offering ${within(orgId, query.offeringId)}`).filter((row) =>
      row.sessionId === null && row.startsAt < query.startsBefore && row.endsAt > query.endsAfter
    )
  return rows.filter((row) => row.unproven !== null && isLive(row, now))
}

const liveWithin = ({ bookings }: State, { now, orgId, ...query }: DepartureQuery): ReadonlyArray<Booking> =>
  inGroup(bookings, `org ${orgId}`).filter(starts(query)).filter((row) => isLive(row, now))

const seats = (rows: ReadonlyArray<Booking>): number => rows.reduce((sum, { quantity }) => sum + quantity, 0)

const departing = (rows: ReadonlyArray<Booking>): DepartureTotals => {
  const [first] = rows
  if (first === undefined) throw new Error("Invariant violated: departure without a booking")
  const holds = rows.filter(({ status }) => status === "held")
  return {
    offeringId: first.offeringId,
    startsAt: first.startsAt,
    endsAt: rows.map(({ endsAt }) => endsAt).reduce((a, b) => a > b ? a : b),
    firstId: rows.map(({ id }) => id).reduce((a, b) => a < b ? a : b),
    bookings: rows.length,
    quantity: seats(rows),
    heldBookings: holds.length,
    heldQuantity: seats(holds)
  }
}

const wordsOf = (customer: Customer | undefined): ReadonlyArray<string> =>
  customer === undefined ? [] : toSearchTerms(customer)

const placeOf = ({ offerings, sessions }: State, { offeringId, orgId, sessionId }: Booking) => {
  const place = sessionId === null
    ? get(offerings, within(orgId, offeringId))
    : get(sessions, within(orgId, sessionId))
  if (place === undefined) throw new ConstraintViolation("The booking's place does not exist.")
  return place
}

const upcoming = ({ bookings }: State, { id, orgId }: OrgKey, now: Instant): ReadonlyArray<Booking> =>
  inGroup(bookings, `offering ${within(orgId, id)}`)
    .filter(({ startsAt, status }) => status === "held" || startsAt > now)

/** Returns a booking with the current values of its offering and guest, not the values at the time of booking. */
const recordOf = ({ customers, offerings }: State, booking: Booking): BookingRecord => {
  const offering = get(offerings, within(booking.orgId, booking.offeringId))
  const customer = get(customers, within(booking.orgId, booking.customerId))
  if (offering === undefined || customer === undefined) {
    throw new ConstraintViolation("The booking's offering or customer does not exist.")
  }
  return {
    booking,
    offering: { id: offering.id, name: offering.name, kind: offering.kind },
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  }
}

const overlapsOf = ({ bookings, offerings }: State, query: OverlapQuery): Overlaps => {
  const offering = get(offerings, within(query.orgId, query.offeringId))
  const now = offering === undefined ? query.now : getDecisionTime(query.now, offering)
  const overlapRows = inGroup(bookings, `offering ${within(query.orgId, query.offeringId)}`).filter((booking) =>
    booking.startsAt >= query.startsAfter && booking.startsAt < query.startsBefore &&
    booking.endsAt > query.endsAfter && booking.id !== query.except
  )
  const spans = new Map<string, BookedSpan>()
  for (const { endsAt, quantity, startsAt } of overlapRows.filter((booking) => isLive(booking, now))) {
    const span = `${startsAt} ${endsAt}`
    const same = spans.get(span) ?? { startsAt, endsAt, bookings: 0, quantity: 0 }
    spans.set(span, { ...same, bookings: same.bookings + 1, quantity: same.quantity + quantity })
  }
  return { bookedSpans: [...spans.values()], lapsedAt: lastEnd(overlapRows, now) }
}
