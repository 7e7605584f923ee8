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
import { tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, compareById, findRows, requireRow, type Tables, toKey, toOrgKey } from "./Tables.ts"

const bookingStore = tableLayer(BookingStore, "bookings", (bookings, { read }) => ({
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
      Table.list(tables.bookings, "start", query.orgId, {
        ...startBounds(query),
        limit: query.limit,
        where: ({ customerId, offeringId, orgId, reference, sessionId, status }) =>
          (query.status === undefined || status === query.status) &&
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.customerId === undefined || customerId === query.customerId) &&
          (query.sessionId === undefined || sessionId === query.sessionId) &&
          (query.reference === undefined || reference === query.reference) &&
          (search === undefined ||
            matchesSearch(search, toSearchTerms(requireRow(tables.customers, toOrgKey(orgId, customerId))), [
              reference
            ]))
      }).map(toRecord(tables))
    )
  },
  newest: ({ after, limit, orgId }) =>
    read((tables) =>
      Table.list(tables.bookings, "start", orgId, { where: ({ id }) => after === undefined || id < after })
        .sort((a, b) => compareById(b, a))
        .slice(0, limit)
        .map(toRecord(tables))
    ),
  lock: (keys) => read((tables) => findRows(tables.bookings, keys).map(toRecord(tables))),
  lockInSession: (session) =>
    read((tables) => Table.list(tables.bookings, "inSession", toKey(session)).sort(compareById).map(toRecord(tables))),
  lockUpcoming: (key, now) =>
    read((tables) => upcomingBookings(tables, key, now).toSorted(compareById).map(toRecord(tables))),
  countUpcoming: (key, query) => read((tables) => countUpcoming(tables, key, query)),
  lockOfCustomer: (customer, after, limit) =>
    read((tables) =>
      Table.list(tables.bookings, "ofCustomer", toKey(customer), { where: ({ id }) => id > after })
        .sort(compareById)
        .slice(0, limit)
        .map(toRecord(tables))
    ),
  nextOf: (customers, now) =>
    read((tables) =>
      [...new Set(customers.map(toKey))]
        .map((key) => Table.list(tables.bookings, "ofCustomer", key))
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
    Effect.map(
      bookings.changeAll(
        ({ bookings }) =>
          Table.list(bookings, "networks", allOrgsGroup, { below: Table.toPosition(madeBefore + 1), limit }),
        (booking) => ({ ...booking, unproven: booking.unproven && { ...booking.unproven, network: null } })
      ),
      ({ length }) => length
    ),
  put: bookings.put,
  update: bookings.put,
  holdsExpiredBy: (moment, limit) =>
    Effect.map(
      bookings.list("expiry", allOrgsGroup, { below: Table.toPosition(moment + 1), limit }),
      (rows) => rows.map(({ id, orgId }) => ({ orgId, id }))
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
        const bounds = { above: Table.toPosition(startsAt), below: Table.toPosition(startsAt + 1) }
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
      spans.map(({ from, to }) =>
        Table.list(bookings, "confirmed", orgId, { above: Table.toPosition(from), below: Table.toPosition(to) }).length
      )
    )
}))

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

const upcomingBookings = ({ bookings }: Tables, offering: OrgKey, now: Instant): ReadonlyArray<Booking> =>
  Table.list(bookings, "inOffering", toKey(offering), {
    where: ({ startsAt, status }) => status === "held" || startsAt > now
  })

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
    .toSorted((a, b) => a.startsAt - b.startsAt || compareById(a, b))
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
  Table.list(bookings, "start", orgId, {
    ...startBounds({ from, to, order: "asc" }),
    where: (booking) => isLive(booking, now)
  })

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
  const starts = { above: Table.toPosition(startsAfter), below: Table.toPosition(startsBefore) }
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

const customerStore = tableLayer(CustomerStore, "customers", (customers, { read }) => ({
  find: customers.findAll,
  lock: customers.findAll,
  lockByEmail: (keys) => customers.findAllBy("e-mail", keys.map(({ email, orgId }) => toOrgKey(orgId, email))),
  list: ({ after, limit, orgId, q }) => {
    const search = q === undefined ? undefined : parseSearchQuery(q)
    return read((tables) =>
      Table.list(tables.customers, "created", orgId, {
        order: "desc",
        below: after,
        limit,
        where: (customer) =>
          search === undefined || matchesSearch(search, toSearchTerms(customer), findReferences(tables, customer))
      })
    )
  },
  put: customers.put
}))

const findReferences = ({ bookings }: Tables, customer: Customer): ReadonlyArray<string> =>
  Table.list(bookings, "ofCustomer", toKey(customer)).map(({ reference }) => reference)

const offeringStore = tableLayer(OfferingStore, "offerings", (offerings) => ({
  find: offerings.findAll,
  lock: offerings.findAll,
  lockOfOrg: () => Effect.void,
  list: ({ after, kind, limit, orgId }) =>
    offerings.list("created", orgId, {
      above: after,
      limit,
      where: (offering) => kind === undefined || offering.kind === kind
    }),
  put: offerings.put
}))

const sessionStore = tableLayer(SessionStore, "sessions", (sessions, { read }) => ({
  list: (query) =>
    read((tables) =>
      Table.list(tables.sessions, "start", query.orgId, {
        ...startBounds({ ...query, order: "asc" }),
        limit: query.limit,
        where: ({ offeringId, status }) =>
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.status === undefined || status === query.status)
      }).map((session) => {
        const { id, orgId } = session
        return { session, booked: countSeats(tables, { orgId, id, now: getDecisionTime(query.now, session) }).booked }
      })
    ),
  find: sessions.findAll,
  lock: sessions.findAll,
  lockUpcoming: (offering, now) =>
    Effect.map(
      sessions.list("inOffering", toKey(offering), {
        above: Table.toPosition(now + 1),
        where: ({ status }) => status === "scheduled"
      }),
      (rows) => rows.sort(compareById)
    ),
  countBookedSeats: (queries) => read((tables) => queries.map((query) => countSeats(tables, query))),
  put: sessions.put
}))

const countSeats = ({ bookings }: Tables, { except, now, ...session }: BookedSeatsQuery): BookedSeats => {
  let booked = 0
  let lapsedAt: Instant | null = null
  for (const booking of Table.range(bookings, "inSession", toKey(session))) {
    if (booking.id === except) continue
    if (isLive(booking, now)) booked += booking.quantity
    else lapsedAt = maxHoldEnd(lapsedAt, booking)
  }
  return { booked, lapsedAt }
}

const closureStore = tableLayer(ClosureStore, "closures", (closures, { read }) => ({
  find: closures.find,
  lock: closures.find,
  list: ({ after, limit, orgId, since = 0 }) =>
    closures.list("fromDate", orgId, { above: after, limit, where: ({ toDate }) => toDate >= since }),
  since: (orgIds, date) =>
    read(({ closures }) =>
      orgIds.flatMap((orgId) => Table.list(closures, "fromDate", orgId, { where: ({ toDate }) => toDate >= date }))
    ),
  put: closures.putOne,
  remove: closures.remove
}))

const discountStore = tableLayer(DiscountStore, "discounts", (discounts, { read }) => ({
  lock: discounts.find,
  findByCode: ({ code, orgId }) => discounts.findBy("code", toOrgKey(orgId, code)),
  lockByCode: (keys) => discounts.findAllBy("code", keys.map(({ code, orgId }) => toOrgKey(orgId, code))),
  list: ({ after, limit, orgId }) => discounts.list("created", orgId, { above: after, limit }),
  uses: (keys, now) =>
    read(({ bookings, discounts, orgs }) =>
      findRows(discounts, keys).map((discount) => {
        const uses = Table.list(bookings, "ofDiscount", toKey(discount), {
          where: (booking) => isDiscountUse(booking, discount.returnsOnCancel, now)
        })
        const currency = Table.get(orgs, discount.orgId)?.currency
        const revenueCents = uses.reduce(
          (sum, booking) =>
            sum + (booking.status === "confirmed" && booking.currency === currency ? booking.totalCents : 0),
          0
        )
        return { id: discount.id, uses: uses.length, revenueCents }
      })
    ),
  put: discounts.putOne,
  remove: discounts.remove
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
  const low = from === undefined ? undefined : Table.toPosition(from)
  const high = to === undefined ? undefined : Table.toPosition(to)
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
