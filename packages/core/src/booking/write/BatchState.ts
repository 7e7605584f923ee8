/**
 * The state of a batch while its requests are decided one after another: the locked rows, and the changes from earlier
 * requests, which take precedence.
 *
 * Storage is queried once, before the first decision. The result of a usage query is then corrected for each changed
 * booking, by subtracting its stored claim and adding its current claim.
 */
import { advancePlaceClock, type BookedSpan } from "../../capacity/claims.ts"
import type { Customer } from "../../customer/Customer.ts"
import type { Closure } from "../../offering/closure/Closure.ts"
import type { DiscountCode, DiscountCodeUsage, DiscountUses } from "../../offering/discount/DiscountCode.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { LedgerEntry } from "../../payment/ledger/LedgerEntry.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { Session } from "../../session/Session.ts"
import type { Instant } from "../../time/Instant.ts"
import { type Booking, isDiscountUse, isLive, type Place } from "../Booking.ts"
import type { OverlapQuery } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import { updateLongestBooking } from "../checkPlace.ts"
import type { CreateBookingFacts } from "../createBooking.ts"
import type { EventsAndTasks } from "../eventsAndTasks.ts"
import type { PlaceOccupancy } from "./occupancy.ts"

/** The rows read after the places were locked. */
export interface BatchRows {
  /**
   * The current time. Decisions at a place use the place's own time, which is never earlier than its previous decision.
   */
  readonly now: Instant
  readonly orgs: ReadonlyMap<string, Pick<CreateBookingFacts, "org" | "zone">>
  readonly offerings: ReadonlyArray<Offering>
  /** The sessions, all of which are locked. */
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  /** The locked bookings named in the updates. */
  readonly bookings: ReadonlyArray<BookingRecord>
  /** The locked payments for these bookings. Payments for bookings that are moved are not included. */
  readonly payments: ReadonlyArray<Payment>
  /** Earlier bookings with an idempotency key from this batch. */
  readonly existingByKey: ReadonlyArray<BookingRecord>
  /** The live unproven bookings for the networks and places that visitors use. */
  readonly unproven: ReadonlyArray<Booking>
  /** The discount codes that requests add, locked. */
  readonly discounts: ReadonlyArray<DiscountCode>
  /** The uses of the discount codes that have a limit, read after the codes were locked. */
  readonly discountUses: ReadonlyArray<DiscountUses>
  /** The orgs' closures, read after the places were locked. */
  readonly closures: ReadonlyArray<Closure>
}

interface ChangedRecord {
  /** The stored booking. Undefined for a new booking. */
  readonly was: Booking | undefined
  /** The booking as changed by the requests decided so far. */
  is: Booking
}

export interface BatchState extends Pick<BatchRows, "now" | "orgs" | "unproven" | "closures"> {
  /** The discount codes, keyed by org and code. */
  readonly discounts: ReadonlyMap<string, DiscountCode>
  /** The uses, keyed by code ID, including uses by earlier requests. */
  readonly discountUses: Map<string, number>
  readonly offerings: Map<string, Offering>
  readonly sessions: Map<string, Session>
  readonly customers: Map<string, Customer>
  readonly customersByEmail: Map<string, Customer>
  readonly bookings: Map<string, BookingRecord>
  readonly existingByKey: Map<string, BookingRecord>
  /** The payments, keyed by booking. */
  readonly payments: Map<string, ReadonlyArray<Payment>>
  readonly changed: {
    readonly bookings: Map<string, ChangedRecord>
    readonly customers: Map<string, Customer>
    readonly entries: Array<LedgerEntry>
    readonly offerings: Map<string, Offering>
    readonly payments: Map<string, Payment>
    readonly sessions: Map<string, Session>
  }
  /** The changed bookings that are or were at a place, keyed by place. */
  readonly changedAt: Map<string, Set<ChangedRecord>>
  /** The events and tasks, in request order. */
  readonly effects: Array<EventsAndTasks>
}

/** Returns a key that is unique across orgs. */
export const toRowKey = ({ id, orgId }: OrgKey): string => `${orgId} ${id}`

const indexByKey = <Row extends OrgKey>(rows: ReadonlyArray<Row>) => new Map(rows.map((row) => [toRowKey(row), row]))

export const toIdempotencyRowKey = ({ idempotency, orgId }: Pick<Booking, "orgId" | "idempotency">): string =>
  toRowKey({ orgId, id: idempotency.key })

const placeKeyOf = ({ offeringId, orgId, sessionId }: Booking): string =>
  toRowKey({ orgId, id: sessionId ?? offeringId })

/** Returns whether a booking is at this place. A place is a session, or an offering without sessions. */
export const occupiesPlace = ({ offeringId, orgId, sessionId }: Booking, place: OrgKey): boolean =>
  (sessionId ?? offeringId) === place.id && orgId === place.orgId

export const make = (
  {
    bookings,
    closures,
    customers,
    discounts,
    discountUses,
    now,
    offerings,
    orgs,
    payments,
    existingByKey,
    sessions,
    unproven
  }: BatchRows
): BatchState => ({
  now,
  orgs,
  unproven,
  closures,
  discounts: new Map(discounts.map((discount) => [toRowKey({ ...discount, id: discount.code }), discount])),
  discountUses: new Map(discountUses.map(({ id, uses }) => [id, uses])),
  offerings: indexByKey(offerings),
  sessions: indexByKey(sessions),
  customers: indexByKey(customers),
  customersByEmail: new Map(
    customers.filter(({ erasedAt }) => erasedAt === null).map((one) => [toRowKey({ ...one, id: one.email }), one])
  ),
  bookings: new Map(bookings.map((record) => [toRowKey(record.booking), record])),
  existingByKey: new Map(existingByKey.map((record) => [toIdempotencyRowKey(record.booking), record])),
  payments: payments.reduce(
    (byBooking, payment) =>
      byBooking.set(bookingKeyOf(payment), [...byBooking.get(bookingKeyOf(payment)) ?? [], payment]),
    new Map<string, ReadonlyArray<Payment>>()
  ),
  changed: {
    bookings: new Map(),
    customers: new Map(),
    entries: [],
    offerings: new Map(),
    payments: new Map(),
    sessions: new Map()
  },
  changedAt: new Map(),
  effects: []
})

/** Applies the changes from earlier requests to a record. */
export const applyPendingChanges = ({ changed, customers }: BatchState, record: BookingRecord): BookingRecord => {
  const { customerId: id, orgId } = record.booking
  const booking = changed.bookings.get(toRowKey(record.booking))?.is ?? record.booking
  return { ...record, booking, customer: customers.get(toRowKey({ orgId, id })) ?? record.customer }
}

/** Returns the unproven bookings that are live at this time, including the changes from earlier requests. */
export const listLiveUnprovenBookings = ({ changed, unproven }: BatchState, now: Instant): ReadonlyArray<Booking> =>
  [...new Map([
    ...unproven.map((booking) => [toRowKey(booking), booking] as const),
    ...[...changed.bookings].map(([key, { is }]) => [key, is] as const)
  ]).values()].filter((booking) => booking.unproven !== null && isLive(booking, now))

/** Returns how many seats earlier requests have added to a session's stored count. */
export const computeSeatDelta = (state: BatchState, session: OrgKey, now: Instant, except?: string): number => {
  let seats = 0
  for (const { claim, sign } of claimsAt(state, session, now, except)) seats += sign * claim.quantity
  return seats
}

/** Returns the spans that earlier requests have added. Freed spans have negative counts. */
export const computeOccupancyDelta = (
  state: BatchState,
  { endsAfter, except, now, offeringId, orgId, startsBefore }: OverlapQuery
): ReadonlyArray<BookedSpan> => {
  const spans: Array<BookedSpan> = []
  for (const { claim, sign } of claimsAt(state, { orgId, id: offeringId }, now, except)) {
    const { endsAt, quantity, startsAt } = claim
    if (startsAt < startsBefore && endsAt > endsAfter) {
      spans.push({ startsAt, endsAt, bookings: sign, quantity: sign * quantity })
    }
  }
  return spans
}

/**
 * Yields the old and new claims of the changed bookings at a place. Every create calls this function for its place, so
 * it runs thousands of times for a busy place.
 */
function* claimsAt({ changedAt }: BatchState, place: OrgKey, now: Instant, except: string | undefined) {
  // In most batches, a place has only one request, so this loop is short.
  for (const { is, was } of changedAt.get(toRowKey(place)) ?? []) {
    if (is.id === except) continue
    if (was !== undefined && occupiesPlace(was, place) && isLive(was, now)) yield { claim: was, sign: -1 }
    if (occupiesPlace(is, place) && isLive(is, now)) yield { claim: is, sign: 1 }
  }
}

const isUseOf = (booking: Booking, { id, returnsOnCancel }: DiscountCode, now: Instant): boolean =>
  booking.price?.terms.discount?.id === id && isDiscountUse(booking, returnsOnCancel, now)

/** Returns a locked discount code with its uses after earlier requests. */
export const findDiscountCodeUsage = (
  { discountUses, discounts }: BatchState,
  orgId: string,
  id: string | undefined
): DiscountCodeUsage | undefined => {
  const code = id === undefined ? undefined : discounts.get(toRowKey({ orgId, id }))
  return code && { code, uses: discountUses.get(code.id) ?? 0 }
}

export const putBooking = (state: BatchState, before: Booking | null, after: Booking): void => {
  const { changed, changedAt, discounts, discountUses, now } = state
  const code = [...discounts.values()].find((discount) => isUseOf(after, discount, now))
  // A use that this batch gives back becomes available only after the commit.
  if (code !== undefined && (before === null || !isUseOf(before, code, now))) {
    discountUses.set(code.id, (discountUses.get(code.id) ?? 0) + 1)
  }
  const key = toRowKey(after)
  const record: ChangedRecord = changed.bookings.get(key) ?? { was: before ?? undefined, is: after }
  record.is = after
  changed.bookings.set(key, record)
  for (const booking of before === null ? [after] : [before, after]) {
    const placeKey = placeKeyOf(booking)
    const placeRecords = changedAt.get(placeKey) ?? new Set()
    changedAt.set(placeKey, placeRecords.add(record))
  }
}

export const putCustomer = (state: BatchState, customer: Customer): void => {
  for (const rows of [state.customers, state.changed.customers]) rows.set(toRowKey(customer), customer)
  state.customersByEmail.set(toRowKey({ ...customer, id: customer.email }), customer)
}

export const putPayment = ({ changed, payments }: BatchState, payment: Payment): void => {
  const bookingKey = bookingKeyOf(payment)
  const otherPayments = (payments.get(bookingKey) ?? []).filter(({ id }) => id !== payment.id)
  payments.set(bookingKey, [...otherPayments, payment].sort((a, b) => a.attempt - b.attempt))
  changed.payments.set(toRowKey(payment), payment)
}

const bookingKeyOf = ({ bookingId: id, orgId }: Payment): string => toRowKey({ orgId, id })

/**
 * Records a place's use: the length of the booking, and the latest expiry of the holds that were ignored. Returns the
 * offering.
 */
export const recordPlaceUse = (
  { changed, offerings, sessions }: BatchState,
  { offeringId, orgId }: Pick<Booking, "offeringId" | "orgId">,
  place: Place,
  occupancy: Pick<PlaceOccupancy, "lapsedAt"> | undefined
): Offering => {
  const lapsedAt = occupancy?.lapsedAt ?? null
  const offeringKey = toRowKey({ orgId, id: offeringId })
  const offering = offerings.get(offeringKey)
  if (offering === undefined) throw new Error("Invariant violated: offering not loaded")
  if (place.sessionId === null) {
    const after = advancePlaceClock(updateLongestBooking(offering, place), lapsedAt)
    if (after === offering) return offering
    offerings.set(offeringKey, after)
    changed.offerings.set(offeringKey, after)
    return after
  }
  const sessionKey = toRowKey({ orgId, id: place.sessionId })
  const session = sessions.get(sessionKey)
  const after = session && advancePlaceClock(session, lapsedAt)
  if (after !== undefined && after !== session) {
    sessions.set(sessionKey, after)
    changed.sessions.set(sessionKey, after)
  }
  return offering
}
