import type { Source } from "@trailbook/core/actor"
import type {
  Attendance,
  Booking,
  BookingPrice,
  BookingRecord,
  BookingRefund,
  BookingStatus,
  PendingProof,
  Place
} from "@trailbook/core/booking"
import type { OfferingKind } from "@trailbook/core/offering/Offering"
import type { Dispute } from "@trailbook/core/payment"
import type { BookingCancellationPolicy } from "@trailbook/core/pricing"
import type { Instant } from "@trailbook/core/time/Instant"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import type { Dialect } from "../Dialect.ts"
import * as Table from "../Table.ts"

const columns = {
  org_id: "text",
  id: "text",
  offering_id: "text",
  customer_id: "text",
  session_id: "text?",
  starts_at: "instant",
  ends_at: "instant",
  period_minutes: "integer",
  periods: "integer",
  quantity: "integer",
  total_cents: "integer",
  currency: "text",
  online_cents: "integer?",
  desk_cents: "integer",
  keep_cents: "integer?",
  reference: "text",
  handle: "text",
  check_in_token: "text",
  source: "text",
  notes: "text",
  staff_notes: "text",
  contact_email: "text?",
  contact_name: "text?",
  contact_phone: "text?",
  metadata: "json",
  unproven: "boolean",
  network: "text?",
  confirm_in: "text?",
  created_at: "instant",
  paid_at: "instant?",
  payment_intent_id: "text?",
  refund: "text?",
  refund_at: "instant?",
  refund_cents: "integer?",
  dispute: "text?",
  disputed_at: "instant?",
  dispute_cents: "integer?",
  attendance: "json",
  price: "json",
  cancellation_policy: "json",
  taps_from: "instant",
  previous_session_id: "text?",
  previous_starts_at: "instant?",
  previous_ends_at: "instant?",
  resent_at: "instant?",
  idempotency_key: "text",
  fingerprint: "text",
  status: "text",
  expires_at: "instant?",
  payment_due: "boolean",
  checkout_url: "text?",
  cancelled_at: "instant?",
  confirmed_at: "instant?",
  updated_at: "instant"
} as const

type BookingRow = ColumnRow<typeof columns>

/**
 * Creates the fields that all states share, in one object literal for speed. Reads mostly return confirmed bookings,
 * which have no other fields.
 */
const decodeCommon = <S extends BookingStatus, C extends Instant | null>(
  row: BookingRow,
  status: S,
  confirmedAt: C
) => ({
  id: row.id,
  orgId: row.org_id,
  offeringId: row.offering_id,
  customerId: row.customer_id,
  sessionId: row.session_id,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  periodMinutes: row.period_minutes,
  periods: row.periods,
  quantity: row.quantity,
  totalCents: row.total_cents,
  currency: row.currency,
  onlineCents: row.online_cents,
  deskCents: row.desk_cents,
  keepCents: row.keep_cents,
  reference: row.reference,
  handle: row.handle,
  checkInToken: row.check_in_token,
  source: row.source as Source,
  notes: row.notes,
  staffNotes: row.staff_notes,
  contact: toContact(row),
  // Skips the parser for the most common value.
  metadata: row.metadata === "{}" ? {} : JSON.parse(row.metadata),
  unproven: toUnproven(row),
  createdAt: row.created_at,
  confirmedAt,
  updatedAt: row.updated_at,
  paidAt: row.paid_at,
  paymentIntentId: row.payment_intent_id,
  refund: toRefund(row),
  dispute: toDispute(row),
  attendance: parseAttendance(row),
  price: parsePrice(row),
  cancellationPolicy: parsePolicy(row),
  tapsFrom: row.taps_from,
  previous: toPreviousPlace(row),
  resentAt: row.resent_at,
  idempotency: { key: row.idempotency_key, fingerprint: row.fingerprint },
  status
})

const toUnproven = ({ confirm_in: confirmIn, network, unproven }: BookingRow): PendingProof | null =>
  unproven ? { network, confirmIn: confirmIn as PendingProof["confirmIn"] } : null

const toContact = (
  { contact_email: email, contact_name: name, contact_phone: phone }: BookingRow
): Booking["contact"] => email === null ? null : { email, name: name ?? "", phone: phone ?? "" }

// Earlier versions stored no refund amount, because every refund was a full one.
const toRefund = (
  { refund: status, refund_at: at, refund_cents: cents, total_cents: total }: BookingRow
): BookingRefund | null =>
  status === null || at === null ? null : { status: status as BookingRefund["status"], cents: cents ?? total, at }

const toDispute = (
  { dispute: status, dispute_cents: cents, disputed_at: at }: BookingRow
): Booking["dispute"] =>
  status === null || at === null
    ? null
    : { status: status as Dispute["status"], at, ...(cents === null ? {} : { cents }) }

// Skips the parser for the most common value.
const parseAttendance = ({ attendance }: BookingRow): Attendance | null =>
  attendance === "{}" ? null : JSON.parse(attendance)

const parsePolicy = ({ cancellation_policy: policy }: BookingRow): BookingCancellationPolicy | null =>
  policy === "null" ? null : JSON.parse(policy)

const parsePrice = ({ price }: BookingRow): BookingPrice | null => price === "null" ? null : JSON.parse(price)

const toPreviousPlace = (row: BookingRow): Place | null =>
  row.previous_starts_at === null || row.previous_ends_at === null
    ? null
    : { sessionId: row.previous_session_id, startsAt: row.previous_starts_at, endsAt: row.previous_ends_at }

const decode = (row: BookingRow): Booking => {
  const status = row.status as BookingStatus
  switch (status) {
    case "held":
      return {
        ...decodeCommon(row, status, null),
        expiresAt: requireValue(row.expires_at),
        paymentDue: Boolean(row.payment_due),
        checkoutUrl: row.checkout_url
      }
    case "confirmed":
      return decodeCommon(row, status, requireValue(row.confirmed_at))
    case "cancelled":
      return {
        ...decodeCommon(row, status, row.confirmed_at),
        cancelledAt: requireValue(row.cancelled_at),
        // Earlier server versions store no amount when they cancel a booking.
        keepCents: row.keep_cents ?? 0
      }
  }
}

const requireValue = <A>(value: A | null): A => {
  if (value === null) throw new Error("Invariant violated: booking without the timestamp of its status")
  return value
}

/** Encodes the columns that only some states use. */
const encodeState = (booking: Booking) => ({
  status: booking.status,
  expires_at: booking.status === "held" ? booking.expiresAt : null,
  payment_due: booking.status === "held" && booking.paymentDue,
  checkout_url: booking.status === "held" ? booking.checkoutUrl : null,
  cancelled_at: booking.status === "cancelled" ? booking.cancelledAt : null
})

/** Stores all states of a booking in one table. */
export const bookingTable = Table.make({
  name: "bookings",
  columns,
  decode,
  encode: (booking: Booking) => ({
    org_id: booking.orgId,
    id: booking.id,
    offering_id: booking.offeringId,
    customer_id: booking.customerId,
    session_id: booking.sessionId,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    period_minutes: booking.periodMinutes,
    periods: booking.periods,
    quantity: booking.quantity,
    total_cents: booking.totalCents,
    currency: booking.currency,
    online_cents: booking.onlineCents,
    desk_cents: booking.deskCents,
    keep_cents: booking.keepCents,
    reference: booking.reference,
    handle: booking.handle,
    check_in_token: booking.checkInToken,
    source: booking.source,
    notes: booking.notes,
    staff_notes: booking.staffNotes,
    contact_email: booking.contact?.email ?? null,
    contact_name: booking.contact?.name ?? null,
    contact_phone: booking.contact?.phone ?? null,
    metadata: booking.metadata,
    unproven: booking.unproven !== null,
    network: booking.unproven?.network ?? null,
    confirm_in: booking.unproven?.confirmIn ?? null,
    created_at: booking.createdAt,
    confirmed_at: booking.confirmedAt,
    updated_at: booking.updatedAt,
    paid_at: booking.paidAt,
    payment_intent_id: booking.paymentIntentId,
    refund: booking.refund?.status ?? null,
    refund_at: booking.refund?.at ?? null,
    refund_cents: booking.refund?.cents ?? null,
    dispute: booking.dispute?.status ?? null,
    disputed_at: booking.dispute?.at ?? null,
    dispute_cents: booking.dispute?.cents ?? null,
    attendance: booking.attendance ?? {},
    price: booking.price,
    cancellation_policy: booking.cancellationPolicy,
    taps_from: booking.tapsFrom,
    previous_session_id: booking.previous?.sessionId ?? null,
    previous_starts_at: booking.previous?.startsAt ?? null,
    previous_ends_at: booking.previous?.endsAt ?? null,
    resent_at: booking.resentAt,
    idempotency_key: booking.idempotency.key,
    fingerprint: booking.idempotency.fingerprint,
    ...encodeState(booking)
  })
})

/** A booking row with the offering and customer columns that its view shows. */
export type BookingRecordRow = ColumnRow<typeof bookingTable.columns> & {
  readonly offering_name: string
  readonly offering_kind: string
  readonly customer_name: string
  readonly customer_email: string
  readonly customer_phone: string
}

/** The columns of a record, from the booking `b`, its offering `o`, and its customer `c`. */
export const recordColumns = `${toSelectList(bookingTable.columns, "b")},
    o.name as offering_name, o.kind as offering_kind,
    c.name as customer_name, c.email as customer_email, c.phone as customer_phone`

/**
 * Returns the start of every statement that reads bookings as `b`. Each booking has an offering and a guest, so a left
 * join and a plain join return the same rows. Use a left join to read bookings by key. With a plain join, PostgreSQL
 * could start with all of the org's offerings, because it expects only a few of them, and then scan them all for every
 * booking. Use a plain join for lists. A list reads its own index, and each offering is looked up once for all of its
 * bookings.
 */
export const selectRecords = ({ table }: Dialect, join: "join" | "left join" = "join"): string => `
  select ${recordColumns}
  from ${table("bookings")} b
    ${join} ${table("offerings")} o on o.org_id = b.org_id and o.id = b.offering_id
    ${join} ${table("customers")} c on c.org_id = b.org_id and c.id = b.customer_id`

export const decodeBookingRecord = (row: BookingRecordRow): BookingRecord => ({
  booking: bookingTable.decode(row),
  offering: { id: row.offering_id, name: row.offering_name, kind: row.offering_kind as OfferingKind },
  customer: {
    id: row.customer_id,
    name: row.customer_name,
    email: row.customer_email,
    phone: row.customer_phone
  }
})

/** Returns a condition that is true if the booking is live at the latest of these times. */
export const liveCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${
    moments.map((moment) => `${alias}.expires_at > ${moment}`).join(" and ")
  }))`

/**
 * Returns a condition that is true if the hold has expired at the latest of these times. The booking must not be
 * canceled.
 */
export const expiredCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${moments.map((moment) => `${alias}.expires_at <= ${moment}`).join(" or ")})`
