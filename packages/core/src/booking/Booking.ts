import type { Source } from "../actor/Actor.ts"
import type { Contact } from "../customer/Customer.ts"
import type { Length, Span } from "../offering/slots.ts"
import type { Dispute, refundStatuses } from "../payment/Payment.ts"
import type { BookingPolicy } from "../pricing/CancellationPolicy.ts"
import type { Extras, Line, Party } from "../pricing/Pricing.ts"
import type { Terms } from "../pricing/quote.ts"
import * as Instant from "../time/Instant.ts"
import type { Metadata } from "../wire/Field.ts"
import type { Language } from "../wire/Language.ts"
import type { Attendance } from "./attendance/Attendance.ts"

/** The time span of a booking and, for classes, its session. */
export interface Place extends Span {
  readonly sessionId: string | null
}

/** The state of the refund of an online payment, its amount, and when the state changed. */
export interface BookingRefund {
  readonly status: (typeof refundStatuses)[number]
  readonly cents: number
  readonly at: Instant.Instant
}

/**
 * Marks a booking from the public page that is unpaid and whose guest has not opened a mailed link. Such bookings are
 * limited per network and per departure.
 */
export interface Unproven {
  /** A keyed digest of the network that the request came from; null if the server does not know the address. */
  readonly network: string | null
  /** The language of the mail whose link confirms a hold; null if the booking does not depend on that link. */
  readonly confirmIn: Language | null
}

/** The booked rates and extras with their prices, and the terms from which a later change is computed. */
export interface BookingPrice {
  readonly party: Party
  readonly extras: Extras
  readonly lines: ReadonlyArray<Line>
  readonly terms: Terms
}

/** The fields that a change of a booking sets. */
export type BookingChange = Partial<
  Pick<Booking, "quantity" | "totalCents" | "price" | "notes" | "staffNotes" | "metadata">
>

interface Common extends Place, Length {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly customerId: string
  /** Seats, party size, or items. */
  readonly quantity: number
  /** The price in cents of `currency`. Only `Change` sets a new one. */
  readonly totalCents: number
  /** The currency of the org when it was booked (ISO 4217, lowercase). */
  readonly currency: string
  /** The amount of the online payment, once the price has changed since; null: the total. */
  readonly onlineCents: number | null
  /** Payments minus refunds at the desk. */
  readonly deskCents: number
  /** Null until canceled; then the most that the outfitter keeps of the paid amount. */
  readonly keepCents: number | null
  /** Null if it has the specified price, without rates, extras, fees, and a discount. */
  readonly price: BookingPrice | null
  /** The policy of the offering or the org when it was booked. */
  readonly cancellationPolicy: BookingPolicy | null
  readonly reference: string
  /** The secret in the URL of the guest's page, `/b/{handle}`. */
  readonly handle: string
  /** The secret in the URL of the QR code, `/c/{token}`. It grants guests nothing, unlike the handle. */
  readonly checkInToken: string
  readonly source: Source
  readonly notes: string
  /** Never shown to guests. */
  readonly staffNotes: string
  /**
   * The contact details entered for this booking, even if the customer has others. Null if the booking was created with
   * a customer ID, and after an erasure.
   */
  readonly contact: Required<Contact> | null
  readonly metadata: Metadata
  /** Null for other sources, and once the booking is paid, canceled, or its mailed link was opened. */
  readonly unproven: Unproven | null
  readonly createdAt: Instant.Instant
  /** When it became confirmed; null for a hold, and for a hold that was canceled. */
  readonly confirmedAt: Instant.Instant | null
  /** When it last changed. Never decreases, even if the clocks of servers differ. */
  readonly updatedAt: Instant.Instant
  readonly paidAt: Instant.Instant | null
  readonly paymentIntentId: string | null
  /** Null if no payment was made or the payment is kept. */
  readonly refund: BookingRefund | null
  /** Null if the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
  readonly attendance: Attendance | null
  /** The time of the last change of attendance, place, or status. Earlier taps are void (`attendance/Attendance.ts`). */
  readonly tapsFrom: Instant.Instant
  /** The place before the last move; null if it never moved. */
  readonly previous: Place | null
  /** When the confirmation was last resent on request, which is limited to once a day. */
  readonly resentAt: Instant.Instant | null
  /** The idempotency key and the fingerprint of the request, so that a retry does not book twice. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string }
}

/** Occupies its place until `expiresAt`. The expiry needs no job. */
export interface Held extends Common {
  readonly status: "held"
  readonly confirmedAt: null
  readonly expiresAt: Instant.Instant
  /** Whether the booking must be paid online, so a checkout is opened with the provider. */
  readonly paymentDue: boolean
  readonly checkoutUrl: string | null
}

export interface Confirmed extends Common {
  readonly status: "confirmed"
  readonly confirmedAt: Instant.Instant
}

export interface Cancelled extends Common {
  readonly status: "cancelled"
  readonly cancelledAt: Instant.Instant
  readonly keepCents: number
}

/**
 * The union makes other combinations impossible: a hold always has an expiry, and a canceled booking a cancellation
 * time.
 */
export type Booking = Held | Confirmed | Cancelled

export const statuses = ["held", "confirmed", "cancelled"] as const

export type Status = (typeof statuses)[number]

/** Whether the booking occupies its place at this time. */
export const isLive = (booking: Booking, now: Instant.Instant): boolean =>
  booking.status === "confirmed" || (booking.status === "held" && booking.expiresAt > now)

/** Whether the booking uses up its discount code at this time. */
export const isDiscountUse = (booking: Booking, returnsOnCancel: boolean, now: Instant.Instant): boolean =>
  isLive(booking, now) || (booking.status === "cancelled" && booking.confirmedAt !== null && !returnsOnCancel)

/** Records the time of a change. */
export const withUpdatedAt = <B extends Booking>(booking: B, now: Instant.Instant): B => ({
  ...booking,
  updatedAt: Instant.make(Math.max(booking.updatedAt, now))
})
