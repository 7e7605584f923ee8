/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { sources } from "../actor/Actor.ts"
import type { Customer } from "../customer/Customer.ts"
import type { Offering } from "../offering/Offering.ts"
import { KindView } from "../offering/OfferingView.ts"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Metadata, personal, Timestamp } from "../wire/View.ts"
import { type Booking, type Place, statuses } from "./Booking.ts"

/**
 * A booking with what its view names of the offering and the customer.
 *
 * @since 0.1.0
 * @category models
 */
export interface BookingRecord {
  readonly booking: Booking
  readonly offering: Pick<Offering, "id" | "name" | "kind">
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone">
}

const PlaceView = Schema.Struct({ starts_at: Timestamp, ends_at: Timestamp, session_id: Schema.NullOr(Id) })

/**
 * The booking on the wire (§2.5).
 *
 * @since 0.1.0
 * @category schemas
 */
export const BookingView = Schema.Struct({
  id: Id,
  org_id: Id,
  offering_id: Id,
  customer_id: Id,
  session_id: Schema.NullOr(Id),
  starts_at: Timestamp,
  ends_at: Timestamp,
  quantity: Integer,
  total_cents: Integer,
  reference: Schema.String,
  status: Schema.Literal(...statuses),
  source: Schema.Literal(...sources),
  notes: personal(Schema.String),
  metadata: personal(Metadata),
  cancelled_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  handle: Schema.String,
  checkout_url: Schema.NullOr(Schema.String),
  paid_at: Schema.NullOr(Timestamp),
  payment_intent_id: Schema.NullOr(Schema.String),
  previous: Schema.optionalWith(PlaceView, { exact: true }),
  offering: Schema.Struct({ id: Id, name: Schema.String, kind: KindView }),
  customer: Schema.Struct({
    id: Id,
    name: personal(Schema.String),
    email: personal(Schema.String),
    phone: personal(Schema.String)
  })
}).annotations({ identifier: "Booking" })
export type BookingView = typeof BookingView.Type

const orNull = (instant: Instant.Instant | null): string | null => instant === null ? null : Instant.format(instant)

const placeView = ({ endsAt, sessionId, startsAt }: Place) => ({
  starts_at: Instant.format(startsAt),
  ends_at: Instant.format(endsAt),
  session_id: sessionId
})

/**
 * @since 0.1.0
 * @category converting
 */
export const bookingView = (record: BookingRecord): BookingView => {
  const { previous } = record.booking
  // A spread within so long a literal takes it off V8's fast way: every booking would pay 5 µs for the few that moved.
  return previous === null ? unmoved(record) : { ...unmoved(record), previous: placeView(previous) }
}

const unmoved = ({ booking, customer, offering }: BookingRecord): BookingView => ({
  id: booking.id,
  org_id: booking.orgId,
  offering_id: booking.offeringId,
  customer_id: booking.customerId,
  session_id: booking.sessionId,
  starts_at: Instant.format(booking.startsAt),
  ends_at: Instant.format(booking.endsAt),
  quantity: booking.quantity,
  total_cents: booking.totalCents,
  reference: booking.reference,
  status: booking.status,
  source: booking.source,
  notes: booking.notes,
  metadata: booking.metadata,
  cancelled_at: booking.status === "cancelled" ? Instant.format(booking.cancelledAt) : null,
  created_at: Instant.format(booking.createdAt),
  expires_at: booking.status === "held" ? Instant.format(booking.expiresAt) : null,
  handle: booking.handle,
  checkout_url: booking.status === "held" ? booking.checkoutUrl : null,
  paid_at: orNull(booking.paidAt),
  payment_intent_id: booking.paymentIntentId,
  offering: { id: offering.id, name: offering.name, kind: offering.kind },
  customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
})
