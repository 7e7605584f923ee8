import type { Source } from "../actor/Actor.ts"
import type { ContactDetails } from "../customer/Customer.ts"
import type { BookingLength, Span } from "../offering/listSlots.ts"
import type { Dispute, refundStatuses } from "../payment/Payment.ts"
import type { BookingCancellationPolicy } from "../pricing/CancellationPolicy.ts"
import type { Extras, Party, PriceLine } from "../pricing/Pricing.ts"
import type { PriceTerms } from "../pricing/quote.ts"
import * as Instant from "../time/Instant.ts"
import type { Metadata } from "../wire/Field.ts"
import type { Language } from "../wire/Language.ts"
import type { Attendance } from "./attendance/Attendance.ts"

/** A booking's time span and, for classes, its session. */
export interface Place extends Span {
  readonly sessionId: string | null
}

/** The state of an online payment's refund, its amount, and when the state changed. */
export interface BookingRefund {
  readonly status: (typeof refundStatuses)[number]
  readonly cents: number
  readonly at: Instant.Instant
}

/**
 * Marks an unpaid booking, made on the public page, whose guest has not yet opened an emailed link. Such bookings are
 * limited per network and per departure.
 */
export interface PendingProof {
  /** A keyed digest of the network that the request came from. Null if the server does not know the address. */
  readonly network: string | null
  /**
   * The language of the email with the link that confirms a hold. Null if the confirmation does not depend on a link.
   */
  readonly confirmIn: Language | null
}

/** The booked rates and extras with their prices, and the terms used to price later changes. */
export interface BookingPrice {
  readonly party: Party
  readonly extras: Extras
  readonly lines: ReadonlyArray<PriceLine>
  readonly terms: PriceTerms
}

/** The fields that a change to a booking sets. */
export type BookingChange = Partial<
  Pick<Booking, "quantity" | "totalCents" | "price" | "notes" | "staffNotes" | "metadata">
>

interface BookingFields extends Place, BookingLength {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly customerId: string
  /** The number of seats, people, or items. */
  readonly quantity: number
  /** The price in cents, in `currency`. Only `Change` sets a new price. */
  readonly totalCents: number
  /** The org's currency when the booking was created (ISO 4217, lowercase). */
  readonly currency: string
  /** The amount paid online, if the price has changed since the payment. Null means the total. */
  readonly onlineCents: number | null
  /** Desk payments minus desk refunds. */
  readonly deskCents: number
  /** The maximum amount that the outfitter keeps from the payments. Null unless the booking is canceled. */
  readonly keepCents: number | null
  /** Null if the booking has the offering's single price, without rates, extras, fees, or a discount. */
  readonly price: BookingPrice | null
  /** The policy that the offering or the org had when the booking was created. */
  readonly cancellationPolicy: BookingCancellationPolicy | null
  readonly reference: string
  /** The secret in the guest page URL, `/b/{handle}`. */
  readonly handle: string
  /** The secret in the QR code URL, `/c/{token}`. Unlike the handle, this token gives a guest no access. */
  readonly checkInToken: string
  readonly source: Source
  readonly notes: string
  /** Staff notes, which guests never see. */
  readonly staffNotes: string
  /**
   * The contact details entered for this booking, which can differ from the customer record. Null if the booking was
   * created with a customer ID, or if the guest was erased.
   */
  readonly contact: Required<ContactDetails> | null
  readonly metadata: Metadata
  /**
   * Null for bookings that were not made on the public page. Also null once the booking is paid or canceled, or its
   * emailed link has been opened.
   */
  readonly unproven: PendingProof | null
  readonly createdAt: Instant.Instant
  /** When the booking was confirmed. Null for a hold, even a canceled one. */
  readonly confirmedAt: Instant.Instant | null
  /** When the booking last changed. This time never decreases, even if the servers' clocks differ. */
  readonly updatedAt: Instant.Instant
  readonly paidAt: Instant.Instant | null
  readonly paymentIntentId: string | null
  /** Null if the guest made no payment, or if the outfitter keeps the payment. */
  readonly refund: BookingRefund | null
  /** Null if the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
  readonly attendance: Attendance | null
  /**
   * The time of the last change to attendance, place, or status. Earlier taps are void (`attendance/Attendance.ts`).
   */
  readonly tapsFrom: Instant.Instant
  /** The place before the last move. Null if the booking was never moved. */
  readonly previous: Place | null
  /** When the confirmation was last resent on request. Resends are limited to one a day. */
  readonly resentAt: Instant.Instant | null
  /** The request's idempotency key and fingerprint. The key prevents a retry from booking twice. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string }
}

/** A hold occupies its place until `expiresAt`. No job is needed to expire it. */
export interface HeldBooking extends BookingFields {
  readonly status: "held"
  readonly confirmedAt: null
  readonly expiresAt: Instant.Instant
  /** Whether the booking must be paid online. If so, a checkout is opened with the provider. */
  readonly paymentDue: boolean
  readonly checkoutUrl: string | null
}

export interface ConfirmedBooking extends BookingFields {
  readonly status: "confirmed"
  readonly confirmedAt: Instant.Instant
}

export interface CancelledBooking extends BookingFields {
  readonly status: "cancelled"
  readonly cancelledAt: Instant.Instant
  readonly keepCents: number
}

/**
 * The union type rules out invalid combinations: a hold always has an expiry, and a canceled booking always has a
 * cancellation time.
 */
export type Booking = HeldBooking | ConfirmedBooking | CancelledBooking

/** The fields that never change after a booking is created. */
export const immutableBookingFields = [
  "id",
  "orgId",
  "offeringId",
  "customerId",
  "currency",
  "reference",
  "handle",
  "checkInToken",
  "source",
  "createdAt",
  "idempotency"
] as const satisfies ReadonlyArray<keyof Booking>

export const bookingStatuses = ["held", "confirmed", "cancelled"] as const

export type BookingStatus = (typeof bookingStatuses)[number]

/** Returns whether the booking occupies its place at the given time. */
export const isLive = (booking: Booking, now: Instant.Instant): boolean =>
  booking.status === "confirmed" || (booking.status === "held" && booking.expiresAt > now)

/** Returns whether the booking counts as a use of its discount code at the given time. */
export const isDiscountUse = (booking: Booking, returnsOnCancel: boolean, now: Instant.Instant): boolean =>
  isLive(booking, now) || (booking.status === "cancelled" && booking.confirmedAt !== null && !returnsOnCancel)

/** Returns the time of the last change, which never decreases. */
export const computeUpdatedAt = ({ updatedAt }: Booking, now: Instant.Instant): Instant.Instant =>
  Instant.make(Math.max(updatedAt, now))

export const withUpdatedAt = <B extends Booking>(booking: B, now: Instant.Instant): B => ({
  ...booking,
  updatedAt: computeUpdatedAt(booking, now)
})
