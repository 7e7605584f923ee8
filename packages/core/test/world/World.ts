/**
 * An in-memory world: everything that storage contains, as one immutable value made of arrays, with queries as filters.
 * It has no indexes or locks, so only the rules are tested.
 */
import { type Booking, isLive } from "@trailbook/core/booking/Booking"
import type { OverlapQuery, Overlaps } from "@trailbook/core/booking/BookingStore"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import type { CreateBookingFacts } from "@trailbook/core/booking/createBooking"
import * as BatchState from "@trailbook/core/booking/write/BatchState"
import { type BookingRequest, getLockKeys } from "@trailbook/core/booking/write/BookingRequest"
import type { LoadedBatch } from "@trailbook/core/booking/write/decideBatch"
import { type OccupancyQuery, type PlaceOccupancy, toOccupancyQuery } from "@trailbook/core/booking/write/occupancy"
import { type BookedSpan, getDecisionTime } from "@trailbook/core/capacity/claims"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Payment } from "@trailbook/core/payment/Payment"
import type { NewEvent } from "@trailbook/core/port/EventLog"
import type { BookedSeats, Session } from "@trailbook/core/session/Session"
import type { Task } from "@trailbook/core/task/Task"
import type { Instant } from "@trailbook/core/time/Instant"

/** An org, and whether it accepts online payments. */
export type OrgFacts = Pick<CreateBookingFacts, "org" | "zone"> & { readonly payments: boolean }

export interface World {
  readonly now: Instant
  readonly orgs: ReadonlyMap<string, OrgFacts>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  readonly bookings: ReadonlyArray<Booking>
  readonly payments: ReadonlyArray<Payment>
  readonly events: ReadonlyArray<NewEvent>
  readonly tasks: ReadonlyArray<Task>
  /** The number of generated IDs. The next ID is derived from it. */
  readonly drawn: number
}

/** Returns a world that is empty except for these fields. */
export const makeWorld = (fields: Pick<World, "now" | "orgs" | "offerings"> & Partial<World>): World => ({
  sessions: [],
  customers: [],
  bookings: [],
  payments: [],
  events: [],
  tasks: [],
  drawn: 0,
  ...fields
})

interface Row {
  readonly orgId: string
  readonly id: string
}

export const find = <A extends Row>(rows: ReadonlyArray<A>, orgId: string, id: string): A | undefined =>
  rows.find((row) => row.orgId === orgId && row.id === id)

export const getRow = <A extends Row>(rows: ReadonlyArray<A>, orgId: string, id: string): A => {
  const row = find(rows, orgId, id)
  if (row === undefined) throw new Error(`There is no row ${orgId} ${id}.`)
  return row
}

/** Upserts rows by key. */
export const put = <A extends Row>(rows: ReadonlyArray<A>, changedRows: ReadonlyArray<A>): ReadonlyArray<A> =>
  changedRows.length === 0 ? rows : [
    ...rows.map((row) => changedRows.findLast(({ id, orgId }) => row.id === id && row.orgId === orgId) ?? row),
    ...changedRows.filter(({ id, orgId }) => find(rows, orgId, id) === undefined)
  ]

export const place = (world: World, orgId: string): OrgFacts & Pick<CreateBookingFacts, "closures"> => {
  const facts = world.orgs.get(orgId)
  if (facts === undefined) throw new Error(`There is no org ${orgId}.`)
  return { ...facts, closures: [] }
}

/**
 * Implements the port's query. The result contains the live bookings, with identical spans combined, and the latest
 * hold expiry.
 */
export const findOverlaps = (world: World, query: OverlapQuery): Overlaps => {
  const bookings = world.bookings.filter((booking) =>
    booking.orgId === query.orgId && booking.offeringId === query.offeringId && booking.id !== query.except &&
    query.startsAfter <= booking.startsAt && booking.startsAt < query.startsBefore &&
    booking.endsAt > query.endsAfter
  )
  const offering = find(world.offerings, query.orgId, query.offeringId)
  const now = offering === undefined ? query.now : getDecisionTime(query.now, offering)
  const spans = new Map<string, BookedSpan>()
  for (const { endsAt, quantity, startsAt } of bookings.filter((booking) => isLive(booking, now))) {
    const sum = spans.get(`${startsAt} ${endsAt}`) ?? { startsAt, endsAt, bookings: 0, quantity: 0 }
    spans.set(`${startsAt} ${endsAt}`, { ...sum, bookings: sum.bookings + 1, quantity: sum.quantity + quantity })
  }
  return { bookedSpans: [...spans.values()], lapsedAt: lapsedAt(bookings, now) }
}

/** Returns the number of occupied seats in a session. */
export const countSeats = (world: World, { id, orgId }: Session, now: Instant, except?: string): BookedSeats => {
  const inside = world.bookings.filter((booking) =>
    booking.orgId === orgId && booking.sessionId === id && booking.id !== except
  )
  const live = inside.filter((booking) => isLive(booking, now))
  return { booked: live.reduce((sum, { quantity }) => sum + quantity, 0), lapsedAt: lapsedAt(inside, now) }
}

const lapsedAt = (bookings: ReadonlyArray<Booking>, now: Instant): Instant | null =>
  bookings.reduce<Instant | null>(
    (latest, booking) =>
      booking.status === "held" && booking.expiresAt <= now && booking.expiresAt > (latest ?? -Infinity)
        ? booking.expiresAt
        : latest,
    null
  )

export const recordOf = (world: World, booking: Booking): BookingRecord => ({
  booking,
  offering: getRow(world.offerings, booking.orgId, booking.offeringId),
  customer: getRow(world.customers, booking.orgId, booking.customerId)
})

/** Returns the facts that a batch loads. */
export const factsFor = (world: World, requests: ReadonlyArray<BookingRequest>): LoadedBatch => {
  const places = requests.map(getLockKeys)
  const orders = requests.flatMap((request) => "create" in request ? [request.create] : [])
  const among = <A extends Row>(rows: ReadonlyArray<A>, keys: ReadonlyArray<Row | undefined>): ReadonlyArray<A> =>
    rows.filter((row) => keys.some((key) => key?.orgId === row.orgId && key.id === row.id))
  const isMeant = ({ erasedAt, email, id, orgId }: Customer): boolean =>
    orders.some((order) =>
      order.orgId === orgId && (order.customerId === id || (erasedAt === null && order.contact?.email === email))
    )
  const rows: BatchState.BatchRows = {
    now: world.now,
    orgs: world.orgs,
    offerings: among(world.offerings, places.flatMap((place) => [place.class, place.offering])),
    sessions: among(world.sessions, places.flatMap(({ sessions }) => sessions)),
    customers: world.customers.filter(isMeant),
    bookings: among(world.bookings, requests.map((request) => "create" in request ? undefined : request.update.key))
      .map((booking) => recordOf(world, booking)),
    payments: world.payments.filter(({ bookingId, orgId }) =>
      requests.some((request) =>
        "update" in request && request.update.key.orgId === orgId && request.update.key.id === bookingId
      )
    ),
    existingByKey: world.bookings.filter(({ idempotency, orgId }) =>
      orders.some((order) => order.orgId === orgId && order.idempotency.key === idempotency.key)
    ).map((booking) => recordOf(world, booking)),
    closures: [],
    discounts: [],
    discountUses: [],
    unproven: world.bookings.filter(({ unproven }) => unproven !== null)
  }
  const state = BatchState.make(rows)
  return { ...rows, occupancies: requests.map((request) => occupancy(world, toOccupancyQuery(state, request))) }
}

/** Returns a booking's payments, sorted by attempt. */
export const paymentsOf = ({ payments }: World, { id, orgId }: Row): ReadonlyArray<Payment> =>
  payments.filter((payment) => payment.orgId === orgId && payment.bookingId === id)
    .toSorted((a, b) => a.attempt - b.attempt)

const occupancy = (world: World, query: OccupancyQuery | undefined): PlaceOccupancy | undefined => {
  if (query === undefined) return undefined
  if ("overlap" in query) return { query, seats: 0, ...findOverlaps(world, query.overlap) }
  const { except, id, now, orgId } = query.seats
  const { booked: seats, lapsedAt } = countSeats(world, getRow(world.sessions, orgId, id), now, except)
  return { query, seats, bookedSpans: [], lapsedAt }
}
