import {
  type Booking,
  type BookingRecord,
  BookingStore,
  type DepartureQuery,
  type DepartureTotals,
  isDiscountUse,
  isLive,
  type OverlapQuery,
  type Overlaps,
  type UnprovenBookingsQuery,
  type UpcomingBookingsPage,
  type UpcomingBookingsQuery
} from "@trailbook/core/booking"
import { type BookedSpan, getDecisionTime } from "@trailbook/core/capacity"
import { CustomerStore, matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import { ClosureStore, DiscountStore, OfferingStore, type OrgKey } from "@trailbook/core/offering"
import { type BookedSeats, type BookedSeatsQuery, SessionStore } from "@trailbook/core/session"
import type { Instant } from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, findRows, putOrgRows, requireRow, type Tables, toOrgKey } from "./Tables.ts"

const bookingStore = storeLayer(BookingStore, ({ read, unitOfWork, update }) => ({
  find: (keys) => read((tables) => findRows(tables.bookings, keys).map(toRecord(tables))),
  findByIdempotencyKey: (keys) =>
    read((tables) =>
      Table.getEachBy(tables.bookings, "idempotency key", keys.map(({ key, orgId }) => toOrgKey(orgId, key)))
        .map(toRecord(tables))
    ),
  findByHandle: (handle) =>
    read((tables) => Option.map(Table.findBy(tables.bookings, "handle", handle), toRecord(tables))),
  findByCheckInToken: (token) =>
    read((tables) => Option.map(Table.findBy(tables.bookings, "check-in token", token), toRecord(tables))),
  list: (query) => {
    const search = query.q === undefined ? undefined : parseSearchQuery(query.q)
    return read((tables) =>
      Table.takeFirst(
        Table.range(tables.bookings, "start", query.orgId, startBounds(query)),
        query.limit,
        ({ customerId, offeringId, orgId, reference, sessionId, status }) =>
          (query.status === undefined || status === query.status) &&
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.customerId === undefined || customerId === query.customerId) &&
          (query.sessionId === undefined || sessionId === query.sessionId) &&
          (query.reference === undefined || reference === query.reference) &&
          (search === undefined ||
            matchesSearch(search, toSearchTerms(requireRow(tables.customers, toOrgKey(orgId, customerId))), [
              reference
            ]))
      ).map(toRecord(tables))
    )
  },
  newest: ({ after, limit, orgId }) =>
    read((tables) =>
      [...Table.range(tables.bookings, "start", orgId)]
        .filter(({ id }) => after === undefined || id < after)
        .sort((a, b) => byId(b, a))
        .slice(0, limit)
        .map(toRecord(tables))
    ),
  lock: (keys) => read((tables) => findRows(tables.bookings, keys).map(toRecord(tables))),
  lockInSession: ({ id, orgId }) =>
    read((tables) =>
      [...Table.range(tables.bookings, "inSession", toOrgKey(orgId, id))].sort(byId).map(toRecord(tables))
    ),
  lockUpcoming: (key, now) => read((tables) => upcomingBookings(tables, key, now).toSorted(byId).map(toRecord(tables))),
  countUpcoming: (key, query) => read((tables) => countUpcoming(tables, key, query)),
  lockOfCustomer: ({ id, orgId }, after, limit) =>
    read((tables) =>
      [...Table.range(tables.bookings, "ofCustomer", toOrgKey(orgId, id))]
        .filter((booking) => booking.id > after)
        .sort(byId)
        .slice(0, limit)
        .map(toRecord(tables))
    ),
  nextOf: (customers, now) =>
    read((tables) =>
      [...new Set(customers.map(({ id, orgId }) => toOrgKey(orgId, id)))]
        .map((key) => [...Table.range(tables.bookings, "ofCustomer", key)])
        .map((bookings) => bookings.find((booking) => isLive(booking, now) && booking.endsAt > now) ?? bookings.at(-1))
        .filter((booking) => booking !== undefined)
        .map(toRecord(tables))
    ),
  overlapping: (queries) => read((tables) => findOverlapping(tables, queries)),
  // No lock is needed, because transactions run one at a time.
  findUnproven: (queries) =>
    read(({ bookings }) => [
      ...new Set(
        queries.flatMap((query) => [...findCandidates(bookings, query)].filter((booking) => isCounted(booking, query)))
      )
    ]),
  forgetNetworks: (madeBefore, limit) =>
    unitOfWork.run(Effect.gen(function*() {
      const until = { below: { at: madeBefore + 1, id: "" } }
      const rows = yield* read(({ bookings }) =>
        Table.takeFirst(Table.range(bookings, "networks", allOrgsGroup, until), limit)
      )
      const updatedRows = rows.map((booking): Booking => ({
        ...booking,
        unproven: booking.unproven && { ...booking.unproven, network: null }
      }))
      yield* update("bookings", (bookings) => updatedRows.reduce(Table.put, bookings))
      return rows.length
    })),
  put: (rows) => update("bookings", putBookings(rows)),
  update: (rows) => update("bookings", putBookings(rows)),
  holdsExpiredBy: (moment, limit) =>
    read(({ bookings }) =>
      Table.takeFirst(Table.range(bookings, "expiry", allOrgsGroup, { below: { at: moment + 1, id: "" } }), limit)
        .map(({ id, orgId }) => ({ orgId, id }))
    ),
  listDepartures: ({ limit, ...query }) =>
    read((tables) =>
      sumDepartures(
        findLiveBookings(tables, query).filter(({ offeringId, orgId, sessionId }) =>
          sessionId === null && requireRow(tables.offerings, toOrgKey(orgId, offeringId)).kind !== "class"
        )
      ).slice(0, limit)
    ),
  heldSeats: (query) =>
    read((tables) => {
      const seats = new Map<string, number>()
      for (const { quantity, sessionId, status } of findLiveBookings(tables, query)) {
        if (status === "held" && sessionId !== null) seats.set(sessionId, (seats.get(sessionId) ?? 0) + quantity)
      }
      return [...seats].map(([sessionId, quantity]) => ({ sessionId, quantity }))
    }),
  listFirstGuests: (queries, limit) =>
    read((tables) =>
      queries.map(({ offeringId, orgId, sessionId, startsAt }) => {
        const bounds = { above: { at: startsAt, id: "" }, below: { at: startsAt + 1, id: "" } }
        const candidates = sessionId === null
          ? Table.range(tables.bookings, "inOffering", toOrgKey(orgId, offeringId), bounds)
          : Table.range(tables.bookings, "inSession", toOrgKey(orgId, sessionId))
        const isComing = (booking: Booking) => booking.status === "confirmed" && booking.sessionId === sessionId
        return Table.takeFirst(candidates, limit, isComing).map((booking) => {
          const { email, name } = requireRow(tables.customers, toOrgKey(orgId, booking.customerId))
          return { name, email, quantity: booking.quantity }
        })
      })
    ),
  countConfirmed: (orgId, spans) =>
    read(({ bookings }) =>
      spans.map(({ from, to }) => {
        const bounds = { above: { at: from, id: "" }, below: { at: to, id: "" } }
        return [...Table.range(bookings, "confirmed", orgId, bounds)].length
      })
    )
}))

const putBookings =
  (rows: ReadonlyArray<Booking>) => (bookings: Tables["bookings"], tables: Tables): Tables["bookings"] => {
    for (const { customerId, offeringId, orgId, sessionId } of rows) {
      requireRow(tables.offerings, toOrgKey(orgId, offeringId))
      requireRow(tables.customers, toOrgKey(orgId, customerId))
      if (sessionId !== null) requireRow(tables.sessions, toOrgKey(orgId, sessionId))
    }
    return rows.reduce(Table.put, bookings)
  }

const findCandidates = (bookings: Tables["bookings"], query: UnprovenBookingsQuery): Iterable<Booking> => {
  const { orgId } = query
  if ("network" in query) return Table.range(bookings, "ofNetwork", toOrgKey(orgId, query.network))
  return "sessionId" in query
    ? Table.range(bookings, "inSession", toOrgKey(orgId, query.sessionId))
    : Table.range(bookings, "inOffering", toOrgKey(orgId, query.offeringId))
}

const isCounted = (booking: Booking, query: UnprovenBookingsQuery): boolean => {
  if (booking.unproven === null || !isLive(booking, query.now)) return false
  if ("network" in query) return booking.createdAt > query.madeAfter
  return "sessionId" in query ||
    (booking.sessionId === null && booking.startsAt < query.startsBefore && booking.endsAt > query.endsAfter)
}

const toRecord = (tables: Tables) => (booking: Booking): BookingRecord => {
  const offering = requireRow(tables.offerings, toOrgKey(booking.orgId, booking.offeringId))
  const customer = requireRow(tables.customers, toOrgKey(booking.orgId, booking.customerId))
  return {
    booking,
    offering: { id: offering.id, name: offering.name, kind: offering.kind },
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  }
}

const upcomingBookings = ({ bookings }: Tables, { id, orgId }: OrgKey, now: Instant): ReadonlyArray<Booking> =>
  [...Table.range(bookings, "inOffering", toOrgKey(orgId, id))]
    .filter(({ startsAt, status }) => status === "held" || startsAt > now)

const countUpcoming = (
  tables: Tables,
  key: OrgKey,
  { after = { at: -1, id: "" }, limit, now, status }: UpcomingBookingsQuery
): UpcomingBookingsPage => {
  const page = upcomingBookings(tables, key, now)
    .filter((booking) =>
      booking.status === status &&
      (booking.startsAt > after.at || (booking.startsAt === after.at && booking.id > after.id))
    )
    .toSorted((a, b) => a.startsAt - b.startsAt || byId(a, b))
    .slice(0, limit)
  const findPlace = ({ offeringId, orgId, sessionId }: Booking) =>
    sessionId === null
      ? requireRow(tables.offerings, toOrgKey(orgId, offeringId))
      : requireRow(tables.sessions, toOrgKey(orgId, sessionId))
  const last = page.at(-1)
  return {
    count: page.length,
    expired: page.filter((booking) => !isLive(booking, getDecisionTime(now, findPlace(booking)))).length,
    paid: page.filter(({ paymentIntentId }) => paymentIntentId !== null).length,
    next: last === undefined || page.length < limit ? undefined : { at: last.startsAt, id: last.id }
  }
}

const findLiveBookings = (
  { bookings }: Tables,
  { from, now, orgId, to }: DepartureQuery
): ReadonlyArray<Booking> =>
  [...Table.range(bookings, "start", orgId, startBounds({ from, to, order: "asc" }))]
    .filter((booking) => isLive(booking, now))

const byId = (a: Booking, b: Booking): number => a.id < b.id ? -1 : 1

/**
 * A batch can contain identical queries, such as 64 requests for one slot, so each distinct query is computed only
 * once.
 */
const findOverlapping = (tables: Tables, queries: ReadonlyArray<OverlapQuery>): ReadonlyArray<Overlaps> => {
  const results = new Map<string, Overlaps>()
  return queries.map((query) => {
    const { endsAfter, except, now, offeringId, orgId, startsAfter, startsBefore } = query
    const queryKey = [orgId, offeringId, startsAfter, startsBefore, endsAfter, now, except].join(" ")
    const overlaps = results.get(queryKey) ?? computeOverlaps(tables, query)
    results.set(queryKey, overlaps)
    return overlaps
  })
}

const computeOverlaps = ({ bookings, offerings }: Tables, query: OverlapQuery): Overlaps => {
  const { endsAfter, except, offeringId, orgId, startsAfter, startsBefore } = query
  const offering = Table.get(offerings, toOrgKey(orgId, offeringId))
  const now = offering === undefined ? query.now : getDecisionTime(query.now, offering)
  const spans = new Map<string, BookedSpan>()
  let lapsedAt: Instant | null = null
  const starts = { above: { at: startsAfter, id: "" }, below: { at: startsBefore, id: "" } }
  for (const booking of Table.range(bookings, "inOffering", toOrgKey(orgId, offeringId), starts)) {
    const { endsAt, id, quantity, startsAt } = booking
    if (endsAt <= endsAfter || id === except) continue
    if (!isLive(booking, now)) {
      lapsedAt = maxHoldEnd(lapsedAt, booking)
      continue
    }
    const spanKey = `${startsAt} ${endsAt}`
    const totals = spans.get(spanKey) ?? { startsAt, endsAt, bookings: 0, quantity: 0 }
    spans.set(spanKey, { ...totals, bookings: totals.bookings + 1, quantity: totals.quantity + quantity })
  }
  return { bookedSpans: [...spans.values()], lapsedAt }
}

/** Sums bookings by start time and offering. */
const sumDepartures = (bookings: ReadonlyArray<Booking>): ReadonlyArray<DepartureTotals> => {
  const groups = new Map<string, DepartureTotals>()
  for (const { endsAt, id, offeringId, quantity, startsAt, status } of bookings) {
    const groupKey = `${startsAt} ${offeringId}`
    const heldCount = status === "held" ? 1 : 0
    const totals = groups.get(groupKey) ?? { ...emptyTotals, endsAt, firstId: id }
    groups.set(groupKey, {
      offeringId,
      startsAt,
      endsAt: totals.endsAt > endsAt ? totals.endsAt : endsAt,
      firstId: totals.firstId < id ? totals.firstId : id,
      bookings: totals.bookings + 1,
      quantity: totals.quantity + quantity,
      heldBookings: totals.heldBookings + heldCount,
      heldQuantity: totals.heldQuantity + heldCount * quantity
    })
  }
  return [...groups.values()].toSorted((a, b) => a.startsAt - b.startsAt || (a.offeringId < b.offeringId ? -1 : 1))
}

const emptyTotals = { bookings: 0, quantity: 0, heldBookings: 0, heldQuantity: 0 }

const customerStore = storeLayer(CustomerStore, ({ read, update }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ customers }) => findRows(customers, keys))
  return {
    find,
    lock: find,
    lockByEmail: (keys) =>
      read(({ customers }) =>
        Table.getEachBy(customers, "e-mail", keys.map(({ email, orgId }) => toOrgKey(orgId, email)))
      ),
    list: ({ after, limit, orgId, q }) => {
      const search = q === undefined ? undefined : parseSearchQuery(q)
      return read((tables) =>
        Table.takeFirst(
          Table.range(tables.customers, "created", orgId, { order: "desc", below: after }),
          limit,
          (customer) =>
            search === undefined ||
            matchesSearch(search, toSearchTerms(customer), findReferences(tables, customer))
        )
      )
    },
    put: (rows) => update("customers", (customers, tables) => putOrgRows(tables, customers, rows))
  }
})

const findReferences = ({ bookings }: Tables, { id, orgId }: Customer): ReadonlyArray<string> =>
  [...Table.range(bookings, "ofCustomer", toOrgKey(orgId, id))].map(({ reference }) => reference)

const offeringStore = storeLayer(OfferingStore, ({ read, update }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ offerings }) => findRows(offerings, keys))
  return {
    find,
    lock: find,
    lockOfOrg: () => Effect.void,
    list: ({ after, kind, limit, orgId }) =>
      read(({ offerings }) =>
        Table.takeFirst(
          Table.range(offerings, "created", orgId, { above: after }),
          limit,
          (offering) => kind === undefined || offering.kind === kind
        )
      ),
    put: (rows) => update("offerings", (offerings, tables) => putOrgRows(tables, offerings, rows))
  }
})

const sessionStore = storeLayer(SessionStore, ({ read, update }) => ({
  list: (query) =>
    read((tables) =>
      Table.takeFirst(
        Table.range(tables.sessions, "start", query.orgId, startBounds({ ...query, order: "asc" })),
        query.limit,
        ({ offeringId, status }) =>
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.status === undefined || status === query.status)
      ).map((session) => {
        const { id, orgId } = session
        return { session, booked: countSeats(tables, { orgId, id, now: getDecisionTime(query.now, session) }).booked }
      })
    ),
  find: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lock: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lockUpcoming: ({ id, orgId }, now) =>
    read(({ sessions }) =>
      [...Table.range(sessions, "inOffering", toOrgKey(orgId, id), { above: { at: now + 1, id: "" } })]
        .filter(({ status }) => status === "scheduled")
        .sort((a, b) => a.id < b.id ? -1 : 1)
    ),
  countBookedSeats: (queries) => read((tables) => queries.map((query) => countSeats(tables, query))),
  put: (rows) =>
    update("sessions", (sessions, tables) => {
      for (const { offeringId, orgId } of rows) requireRow(tables.offerings, toOrgKey(orgId, offeringId))
      return rows.reduce(Table.put, sessions)
    })
}))

const countSeats = ({ bookings }: Tables, { except, id, now, orgId }: BookedSeatsQuery): BookedSeats => {
  let booked = 0
  let lapsedAt: Instant | null = null
  for (const booking of Table.range(bookings, "inSession", toOrgKey(orgId, id))) {
    if (booking.id === except) continue
    if (isLive(booking, now)) booked += booking.quantity
    else lapsedAt = maxHoldEnd(lapsedAt, booking)
  }
  return { booked, lapsedAt }
}

const closureStore = storeLayer(ClosureStore, ({ read, update }) => ({
  find: ({ id, orgId }) => read(({ closures }) => Table.find(closures, toOrgKey(orgId, id))),
  lock: ({ id, orgId }) => read(({ closures }) => Table.find(closures, toOrgKey(orgId, id))),
  list: ({ after, limit, orgId, since = 0 }) =>
    read(({ closures }) =>
      Table.takeFirst(
        Table.range(closures, "fromDate", orgId, { above: after }),
        limit,
        ({ toDate }) => toDate >= since
      )
    ),
  since: (orgIds, date) =>
    read(({ closures }) =>
      orgIds.flatMap((orgId) => [...Table.range(closures, "fromDate", orgId)].filter(({ toDate }) => toDate >= date))
    ),
  put: (closure) =>
    update("closures", (closures, tables) => {
      const { offeringId, orgId } = closure
      if (offeringId !== null) requireRow(tables.offerings, toOrgKey(orgId, offeringId))
      return putOrgRows(tables, closures, [closure])
    }),
  remove: ({ id, orgId }) => update("closures", (closures) => Table.remove(closures, toOrgKey(orgId, id)))
}))

const discountStore = storeLayer(DiscountStore, ({ read, update }) => ({
  lock: ({ id, orgId }) => read(({ discounts }) => Table.find(discounts, toOrgKey(orgId, id))),
  findByCode: ({ code, orgId }) => read(({ discounts }) => Table.findBy(discounts, "code", toOrgKey(orgId, code))),
  lockByCode: (keys) =>
    read(({ discounts }) => Table.getEachBy(discounts, "code", keys.map(({ code, orgId }) => toOrgKey(orgId, code)))),
  list: ({ after, limit, orgId }) =>
    read(({ discounts }) => Table.takeFirst(Table.range(discounts, "created", orgId, { above: after }), limit)),
  uses: (keys, now) =>
    read(({ bookings, discounts, orgs }) =>
      findRows(discounts, keys).map(({ id, orgId, returnsOnCancel }) => {
        const uses = [...Table.range(bookings, "ofDiscount", toOrgKey(orgId, id))].filter((booking) =>
          isDiscountUse(booking, returnsOnCancel, now)
        )
        const currency = Table.get(orgs, orgId)?.currency
        const revenueCents = uses.reduce(
          (sum, booking) =>
            sum + (booking.status === "confirmed" && booking.currency === currency ? booking.totalCents : 0),
          0
        )
        return { id, uses: uses.length, revenueCents }
      })
    ),
  put: (discount) => update("discounts", (discounts, tables) => putOrgRows(tables, discounts, [discount])),
  remove: ({ id, orgId }) => update("discounts", (discounts) => Table.remove(discounts, toOrgKey(orgId, id)))
}))

export const layer = Layer.mergeAll(
  bookingStore,
  customerStore,
  offeringStore,
  closureStore,
  discountStore,
  sessionStore
)

/**
 * Converts `from <= startsAt < to` and a page position to bounds for a range in start and ID order. The page starts at
 * the position or at the bound, whichever is further along in `order`.
 */
const startBounds = ({ after, from, order, to }: {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  readonly order: "asc" | "desc"
  readonly after?: Position | undefined
}): Table.Bounds => {
  // IDs are never empty, so each of these positions sorts just before all rows that start at that time.
  const low = from === undefined ? undefined : { at: from, id: "" }
  const high = to === undefined ? undefined : { at: to, id: "" }
  return {
    order,
    above: order === "asc" ? laterOf(low, after) : low,
    below: order === "desc" ? earlierOf(high, after) : high
  }
}

const isBefore = (a: Position, b: Position): boolean => a.at === b.at ? a.id < b.id : a.at < b.at

const laterOf = (a: Position | undefined, b: Position | undefined): Position | undefined =>
  a === undefined || (b !== undefined && isBefore(a, b)) ? b : a

const earlierOf = (a: Position | undefined, b: Position | undefined): Position | undefined =>
  a === undefined || (b !== undefined && isBefore(b, a)) ? b : a

/** Returns `latest`, or the booking's expiry if the booking is a hold that expires later. */
const maxHoldEnd = (latest: Instant | null, booking: Booking): Instant | null =>
  booking.status === "held" && (latest === null || booking.expiresAt > latest) ? booking.expiresAt : latest
