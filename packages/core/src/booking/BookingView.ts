import * as Schema from "effect/Schema"
import { Recorder, sources } from "../actor/Actor.ts"
import { type Customer, CustomerView, getContactEmail } from "../customer/Customer.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView } from "../offering/OfferingView.ts"
import { type Dispute, disputeStatuses, refundStatuses } from "../payment/Payment.ts"
import * as Event from "../port/Event.ts"
import { CancellationPolicyView } from "../pricing/CancellationPolicy.ts"
import { ExtrasView, PartyView, PriceLine } from "../pricing/Pricing.ts"
import * as Instant from "../time/Instant.ts"
import { metadata, optional, sameAs, text, withDescription } from "../wire/Field.ts"
import {
  exampleIds,
  guestId,
  guestPage,
  Id,
  Integer,
  Metadata,
  optionalField,
  personal,
  Timestamp
} from "../wire/View.ts"
import { type Attendance, attendanceStatuses } from "./attendance/Attendance.ts"
import { computeBalance } from "./balance.ts"
import { type Booking, type BookingRefund, bookingStatuses, type Place } from "./Booking.ts"
import { toAdjustments } from "./price/computeChangedPrice.ts"

/** A booking with the offering and customer fields that its view shows. */
export interface BookingRecord {
  readonly booking: Booking
  readonly offering: Pick<Offering, "id" | "name" | "kind">
  readonly customer: Pick<Customer, "id" | "name" | "email" | "phone">
}

const placeFields = {
  starts_at: withDescription("its start", Timestamp),
  ends_at: withDescription("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  session_id: withDescription("the class session, or null for other kinds", Schema.NullOr(Id), exampleIds.session)
}

/** A booking as the API returns it. */
export const BookingView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.booking),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  offering_id: withDescription("the offering", Id, exampleIds.offering),
  customer_id: withDescription(
    "the guest. Empty for callers without access to guest data",
    guestId(Id),
    exampleIds.customer
  ),
  session_id: placeFields.session_id,
  starts_at: placeFields.starts_at,
  ends_at: placeFields.ends_at,
  quantity: withDescription("seats, people, or items", Integer, 2),
  total_cents: withDescription("the price when the booking was made or last changed", Integer, 17000),
  currency: withDescription(
    "the currency of the booking's amounts, even if the outfitter's currency changes later",
    Schema.String,
    "usd"
  ),
  paid_cents: withDescription("the payments minus the completed and pending refunds", Integer, 17000),
  due_cents: withDescription("the amount that the guest still owes, or 0 for a canceled booking", Integer, 0),
  owed_cents: withDescription("the amount that the outfitter still owes the guest", Integer, 0),
  kept_cents: withDescription(
    "the amount that the outfitter keeps after a cancellation, or null if the booking is not canceled",
    Schema.NullOr(Integer)
  ),
  reference: withDescription(
    "the 8-character code shown to the guest. It grants no access",
    Schema.String,
    "7KQ2MXPD"
  ),
  status: withDescription("the status", Schema.Literal(...bookingStatuses), "confirmed"),
  source: withDescription("the channel through which the booking was created", Schema.Literal(...sources), "api"),
  notes: withDescription(
    "the guest's notes about this booking",
    personal(Schema.String),
    "One of us is left-handed."
  ),
  staff_notes: withDescription("staff notes, never shown to the guest", personal(Schema.String), ""),
  metadata: withDescription("custom JSON data", personal(Metadata)),
  cancelled_at: withDescription("when the booking was canceled", Schema.NullOr(Timestamp)),
  created_at: withDescription("when the booking was created", Timestamp, "2027-04-12T18:03:11.482Z"),
  confirmed_at: withDescription("when the booking was confirmed, or null if never", Schema.NullOr(Timestamp)),
  updated_at: withDescription(
    "when the booking last changed, excluding changes to its offering or guest",
    Timestamp,
    "2027-04-12T18:03:11.482Z"
  ),
  expires_at: withDescription("when the hold expires, or null if the booking is not a hold", Schema.NullOr(Timestamp)),
  handle: withDescription(
    "the secret part of the guest page URL, `/b/{handle}`. Empty for callers without the `write` scope or " +
      "access to guest data",
    guestPage(Schema.String),
    "q3V9wT1mZbXc7RkLp0sNdA"
  ),
  checkout_url: withDescription(
    "the hold's payment page. Empty if `handle` is empty, because this page links to the guest page",
    guestPage(Schema.NullOr(Schema.String))
  ),
  paid_at: withDescription("when the booking was paid online", Schema.NullOr(Timestamp)),
  payment_intent_id: withDescription("the online payment", Schema.NullOr(Schema.String)),
  refund: withDescription(
    "the online payment's refund. It is `due` until the provider confirms it, and retried if `refused`",
    Schema.NullOr(
      Schema.Struct({
        status: withDescription("the refund status", Schema.Literal(...refundStatuses), "done"),
        cents: withDescription("the refunded amount", Integer, 17000),
        at: withDescription("when the status last changed", Timestamp)
      })
    )
  ),
  dispute: withDescription(
    "the dispute opened by the guest's bank. A cancellation refunds nothing if the dispute is `open` or `lost`",
    Schema.NullOr(
      Schema.Struct({
        status: withDescription("`open` until the bank decides", Schema.Literal(...disputeStatuses), "open"),
        at: withDescription("when the status last changed", Timestamp)
      })
    )
  ),
  attendance: withDescription(
    "whether the guests arrived. Null until recorded, and reset to null by a move or cancellation",
    Schema.NullOr(Schema.Struct({
      status: withDescription(
        "whether the guests were checked in or did not show up",
        Schema.Literal(...attendanceStatuses)
      ),
      arrived: withDescription("the number of people who arrived, or 0 for a no-show", Integer, 2),
      at: withDescription("when the attendance was recorded", Timestamp, "2027-05-01T14:41:12.093Z"),
      by: withDescription("the actor that recorded the attendance", Recorder)
    }))
  ),
  check_in_url: withDescription(
    "the path of the URL in the QR code, on the guest page's host. Staff members who open the URL can check in " +
      "the guests. Other people see only the outfitter's name",
    Schema.String,
    "/c/Zr7o0jV5xkQyT1sWcLm9Ag"
  ),
  party: optionalField("the booked rates, absent if the booking has no pricing, fees, or changes", PartyView),
  extras: optionalField("the extras, present only if party is set", ExtrasView),
  adjustments: optionalField(
    "the amounts that staff added, in the order of the adjustment lines. Present only if party is set",
    Schema.Array(Schema.Struct({
      name: withDescription("shown to guests", personal(Schema.String), "Late return"),
      cents: withDescription("the amount added to the total. Can be negative", Integer, 1500)
    }))
  ),
  lines: optionalField("the price lines, present only if party is set", Schema.Array(PriceLine)),
  cancellation_policy: optionalField(
    "the cancellation policy at the time of booking, absent if there was none",
    Schema.Struct({
      ...CancellationPolicyView.fields,
      min_keep_cents: withDescription(
        "the minimum amount that the outfitter keeps at any step. Increases when the guest moves the booking",
        Integer
      )
    })
  ),
  discount_code: optionalField("the discount code, absent if none was used", Schema.String),
  previous: optionalField("the booking's time before its last move", Schema.Struct(placeFields)),
  offering: withDescription(
    "the current offering",
    OfferingView.pick("id", "name", "kind")
  ),
  customer: withDescription(
    "the current customer",
    CustomerView.pick("id", "name", "email", "phone")
  )
}).annotations({ identifier: "Booking" })
export type BookingView = typeof BookingView.Type

/** The fields that staff can change without repricing the booking. */
export const bookingPatchFields = {
  notes: optional(sameAs(BookingView.fields.notes, text({ max: 2000 }))),
  staff_notes: optional(sameAs(BookingView.fields.staff_notes, text({ max: 2000 }))),
  metadata: optional(withDescription("custom JSON data, which replaces the existing data", metadata))
}

const placeView = ({ endsAt, sessionId, startsAt }: Place) => ({
  starts_at: Instant.format(startsAt),
  ends_at: Instant.format(endsAt),
  session_id: sessionId
})

export const bookingView = (record: BookingRecord): BookingView => {
  const { cancellationPolicy: policy, previous, price } = record.booking
  const view = commonView(record)
  // Add the fields to the existing object, and only if they are needed. A spread would create a dictionary-mode object,
  // which takes 13 µs to create and twice as long to serialize.
  if (price !== null) {
    Object.assign(
      view,
      {
        party: price.party,
        extras: price.extras,
        adjustments: toAdjustments(record.booking),
        // An adjustment's name can contain personal data, so it appears only in `adjustments`.
        lines: price.lines.map((line) => line.kind === "adjustment" ? { ...line, name: "Adjustment" } : line),
        ...(price.terms.discount === null ? {} : { discount_code: price.terms.discount.code })
      } satisfies Partial<BookingView>
    )
  }
  if (policy !== null) Object.assign(view, { cancellation_policy: policy } satisfies Partial<BookingView>)
  return previous === null ? view : Object.assign(view, { previous: placeView(previous) })
}

const refundView = ({ at, cents, status }: BookingRefund) => ({ status, cents, at: Instant.format(at) })

const disputeView = ({ at, status }: Dispute) => ({ status, at: Instant.format(at) })

const attendanceView = (attendance: Attendance) => ({ ...attendance, at: Instant.format(attendance.at) })

const commonView = ({ booking, customer, offering }: BookingRecord): BookingView => {
  const { dueCents, keptCents, owedCents, paidCents } = computeBalance(booking)
  return {
    id: booking.id,
    org_id: booking.orgId,
    offering_id: booking.offeringId,
    customer_id: booking.customerId,
    session_id: booking.sessionId,
    starts_at: Instant.format(booking.startsAt),
    ends_at: Instant.format(booking.endsAt),
    quantity: booking.quantity,
    total_cents: booking.totalCents,
    currency: booking.currency,
    paid_cents: paidCents,
    due_cents: dueCents,
    owed_cents: owedCents,
    kept_cents: keptCents,
    reference: booking.reference,
    status: booking.status,
    source: booking.source,
    notes: booking.notes,
    staff_notes: booking.staffNotes,
    metadata: booking.metadata,
    cancelled_at: booking.status === "cancelled" ? Instant.format(booking.cancelledAt) : null,
    created_at: Instant.format(booking.createdAt),
    confirmed_at: Instant.formatOrNull(booking.confirmedAt),
    updated_at: Instant.format(booking.updatedAt),
    expires_at: booking.status === "held" ? Instant.format(booking.expiresAt) : null,
    handle: booking.handle,
    checkout_url: booking.status === "held" ? booking.checkoutUrl : null,
    paid_at: Instant.formatOrNull(booking.paidAt),
    payment_intent_id: booking.paymentIntentId,
    refund: booking.refund === null ? null : refundView(booking.refund),
    dispute: booking.dispute === null ? null : disputeView(booking.dispute),
    attendance: booking.attendance === null ? null : attendanceView(booking.attendance),
    check_in_url: `/c/${booking.checkInToken}`,
    offering: { id: offering.id, name: offering.name, kind: offering.kind },
    customer: { id: customer.id, name: customer.name, email: getContactEmail(customer), phone: customer.phone }
  }
}

/**
 * Returns the name entered for the booking, or else the customer's name. People with the same email address share a
 * customer record, which has the most recently entered name.
 */
export const getGuestName = ({ booking, customer }: Pick<BookingRecord, "booking" | "customer">): string =>
  booking.contact?.name || customer.name

/** Returns the phone number entered for the booking, or else the customer's phone number. */
export const getGuestPhone = ({ booking, customer }: Pick<BookingRecord, "booking" | "customer">): string =>
  booking.contact?.phone || customer.phone

export const bookingEvents = [
  Event.make("booking.held", {
    data: BookingView,
    when: "A spot is held while the guest decides or pays, until `expires_at`."
  }),
  Event.make("booking.confirmed", {
    data: BookingView,
    when: "A confirmed booking is created, a hold is confirmed or paid, or a cancellation is undone."
  }),
  Event.make("booking.moved", {
    data: BookingView,
    when: "A booking is moved to another time for the same offering.",
    extraData: "`previous`, the time before the move"
  }),
  Event.make("booking.updated", {
    data: BookingView,
    when: "A booking's party, extras, adjustments, notes, or metadata change."
  }),
  Event.make("booking.cancelled", {
    data: BookingView,
    when: "A booking is canceled individually, with its session or offering, or by the service 24 hours after its " +
      "hold expires."
  }),
  Event.make("booking.checked_in", {
    data: BookingView,
    when: "Guests on a booking are checked in, or the number of guests who arrived changes."
  }),
  Event.make("booking.no_show", {
    data: BookingView,
    when: "A booking is marked as a no-show. It is not canceled."
  }),
  Event.make("booking.attendance_cleared", {
    data: BookingView,
    when:
      "A check-in or no-show is undone. A move or cancellation also clears the attendance, but does not emit this event."
  })
] as const
