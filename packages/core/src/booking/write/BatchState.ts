/**
 * What deciding a batch goes by, as it evolves from one request to the next: rows
 * as they were read under their locks, and over them what the requests before
 * have made of them.
 *
 * Storage was asked before the first of them. So what it said of a place is set
 * right by each booking that has changed since: what that kept is taken away, and
 * what it keeps now is added.
 */
import type { BookedSpan } from "../../capacity/claims.ts"
import { advancePlaceClock } from "../../capacity/placeClock.ts"
import type { Customer } from "../../customer/Customer.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { Session } from "../../session/Session.ts"
import type { Instant } from "../../time/Instant.ts"
import { type Booking, isLive, type Place } from "../Booking.ts"
import type { OverlapQuery } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import { withLongestBooking } from "../checkPlace.ts"
import type { CreateFacts } from "../createBooking.ts"

/** What was read for a batch once its places were locked. */
export interface Rows {
  /** By the clock; each place has its own, not before it was judged last. */
  readonly now: Instant
  readonly orgs: ReadonlyMap<string, Pick<CreateFacts, "org" | "zone">>
  readonly offerings: ReadonlyArray<Offering>
  /** All of them locked. */
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  /** Those that changes name, locked. */
  readonly bookings: ReadonlyArray<BookingRecord>
  /** Those of bookings that changes name, locked. */
  readonly payments: ReadonlyArray<Payment>
  /** Bookings made earlier with a key of the batch. */
  readonly sameKeys: ReadonlyArray<BookingRecord>
  /** Live unproven bookings of the networks and places of visitors. */
  readonly unproven: ReadonlyArray<Booking>
}

interface Changed {
  /** As storage has it; undefined where it has none. */
  readonly was: Booking | undefined
  readonly is: Booking
}

export interface BatchState extends Pick<Rows, "now" | "orgs" | "unproven"> {
  readonly offerings: Map<string, Offering>
  readonly sessions: Map<string, Session>
  readonly customers: Map<string, Customer>
  readonly customersByEmail: Map<string, Customer>
  readonly bookings: Map<string, BookingRecord>
  readonly sameKeys: Map<string, BookingRecord>
  /** By the names of their bookings. */
  readonly payments: Map<string, ReadonlyArray<Payment>>
  readonly changed: {
    readonly bookings: Map<string, Changed>
    readonly customers: Map<string, Customer>
    readonly offerings: Map<string, Offering>
    readonly payments: Map<string, Payment>
    readonly sessions: Map<string, Session>
  }
  /** The changed bookings that were at a place or are. */
  readonly changedAt: Map<string, Set<string>>
}

/** The name of a row among those of all orgs. */
export const rowKey = ({ id, orgId }: OrgKey): string => `${orgId} ${id}`

const byKey = <Row extends OrgKey>(rows: ReadonlyArray<Row>) => new Map(rows.map((row) => [rowKey(row), row]))

export const idempotencyRowKey = ({ idempotency, orgId }: Pick<Booking, "orgId" | "idempotency">): string =>
  rowKey({ orgId, id: idempotency.key })

const placeOf = ({ offeringId, orgId, sessionId }: Booking): string => rowKey({ orgId, id: sessionId ?? offeringId })

/** Whether a booking is at a place: a session, or an offering without sessions. */
export const isAt = ({ offeringId, orgId, sessionId }: Booking, place: OrgKey): boolean =>
  (sessionId ?? offeringId) === place.id && orgId === place.orgId

export const make = (
  { bookings, customers, now, offerings, orgs, payments, sameKeys, sessions, unproven }: Rows
): BatchState => ({
  now,
  orgs,
  unproven,
  offerings: byKey(offerings),
  sessions: byKey(sessions),
  customers: byKey(customers),
  customersByEmail: new Map(
    customers.filter(({ erasedAt }) => erasedAt === null).map((one) => [rowKey({ ...one, id: one.email }), one])
  ),
  bookings: new Map(bookings.map((record) => [rowKey(record.booking), record])),
  sameKeys: new Map(sameKeys.map((record) => [idempotencyRowKey(record.booking), record])),
  payments: payments.reduce(
    (byBooking, payment) => byBooking.set(bookingOf(payment), [...byBooking.get(bookingOf(payment)) ?? [], payment]),
    new Map<string, ReadonlyArray<Payment>>()
  ),
  changed: {
    bookings: new Map(),
    customers: new Map(),
    offerings: new Map(),
    payments: new Map(),
    sessions: new Map()
  },
  changedAt: new Map()
})

/** A record as the requests before have left its booking and its guest. */
export const withPendingChanges = ({ changed, customers }: BatchState, record: BookingRecord): BookingRecord => {
  const { customerId: id, orgId } = record.booking
  const booking = changed.bookings.get(rowKey(record.booking))?.is ?? record.booking
  return { ...record, booking, customer: customers.get(rowKey({ orgId, id })) ?? record.customer }
}

/** The live unproven bookings at a moment, as the requests before have left them. */
export const unprovenNow = ({ changed, unproven }: BatchState, now: Instant): ReadonlyArray<Booking> =>
  [...new Map([
    ...unproven.map((booking) => [rowKey(booking), booking] as const),
    ...[...changed.bookings].map(([name, { is }]) => [name, is] as const)
  ]).values()].filter((booking) => booking.unproven !== null && isLive(booking, now))

/** By how many seats a session is booked more at a moment than storage said. */
export const seatDelta = (state: BatchState, session: OrgKey, now: Instant, except?: string): number => {
  let seats = 0
  for (const { claim, sign } of claimsAt(state, session, now, except)) seats += sign * claim.quantity
  return seats
}

/**
 * What the batch has added to a span, and taken from it: that weighs less than
 * nothing.
 */
export const occupancyDelta = (
  state: BatchState,
  { endsAfter, except, now, offeringId, orgId, startsBefore }: OverlapQuery
): ReadonlyArray<BookedSpan> => {
  const more: Array<BookedSpan> = []
  for (const { claim, sign } of claimsAt(state, { orgId, id: offeringId }, now, except)) {
    const { endsAt, quantity, startsAt } = claim
    if (startsAt < startsBefore && endsAt > endsAfter) {
      more.push({ startsAt, endsAt, bookings: sign, quantity: sign * quantity })
    }
  }
  return more
}

/**
 * What the changed bookings of a place kept and keep. Every order of a batch asks what those before it have left there,
 * so in a hot place this runs thousands of times.
 */
function* claimsAt({ changed, changedAt }: BatchState, place: OrgKey, now: Instant, except: string | undefined) {
  // Nearly every request is the only one of its batch at its place.
  for (const name of changedAt.get(rowKey(place)) ?? []) {
    const booking = changed.bookings.get(name)
    if (booking === undefined || booking.is.id === except) continue
    const { is, was } = booking
    if (was !== undefined && isAt(was, place) && isLive(was, now)) yield { claim: was, sign: -1 }
    if (isAt(is, place) && isLive(is, now)) yield { claim: is, sign: 1 }
  }
}

export const putBooking = (state: BatchState, before: Booking | null, after: Booking): void => {
  const { changed, changedAt } = state
  const name = rowKey(after)
  const known = changed.bookings.get(name)
  changed.bookings.set(name, { was: known === undefined ? before ?? undefined : known.was, is: after })
  for (const booking of before === null ? [after] : [before, after]) {
    const place = placeOf(booking)
    const names = changedAt.get(place) ?? new Set()
    changedAt.set(place, names.add(name))
  }
}

export const putCustomer = (state: BatchState, customer: Customer): void => {
  for (const rows of [state.customers, state.changed.customers]) rows.set(rowKey(customer), customer)
  state.customersByEmail.set(rowKey({ ...customer, id: customer.email }), customer)
}

export const putPayment = ({ changed, payments }: BatchState, payment: Payment): void => {
  const booking = bookingOf(payment)
  const others = (payments.get(booking) ?? []).filter(({ id }) => id !== payment.id)
  payments.set(booking, [...others, payment].sort((a, b) => a.attempt - b.attempt))
  changed.payments.set(rowKey(payment), payment)
}

const bookingOf = ({ bookingId: id, orgId }: Payment): string => rowKey({ orgId, id })

/**
 * The place remembers what was booked there last: how long it is, and which holds
 * were passed over for it.
 */
export const recordPlaceUse = (state: BatchState, of: OrgKey, place: Place, lapsedAt: Instant | null): void => {
  const { changed, offerings, sessions } = state
  const { orgId } = of
  if (place.sessionId !== null) {
    const name = rowKey({ orgId, id: place.sessionId })
    const before = sessions.get(name)
    const after = before === undefined ? undefined : advancePlaceClock(before, lapsedAt)
    if (after === undefined || after === before) return
    sessions.set(name, after)
    changed.sessions.set(name, after)
  } else {
    const name = rowKey(of)
    const before = offerings.get(name)
    const after = before === undefined ? undefined : advancePlaceClock(withLongestBooking(before, place), lapsedAt)
    if (after === undefined || after === before) return
    offerings.set(name, after)
    changed.offerings.set(name, after)
  }
}
