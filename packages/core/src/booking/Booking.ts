import type { Source } from "../actor/Actor.ts"
import type { Contact } from "../customer/Customer.ts"
import type { Length, Span } from "../offering/slots.ts"
import type { Dispute, refundStatuses } from "../payment/Payment.ts"
import type { Instant } from "../time/Instant.ts"
import type { Metadata } from "../wire/Field.ts"
import type { Language } from "../wire/Language.ts"

/** Where a booking is: a span, and for classes the session that has it. */
export interface Place extends Span {
  readonly sessionId: string | null
}

/** What became of an online payment that goes back, always in full, and since when. */
export interface BookingRefund {
  readonly status: (typeof refundStatuses)[number]
  readonly at: Instant
}

/**
 * A booking from the public page that is not paid, and whose guest has not opened a mailed link. Such bookings are limited
 * for each network and departure.
 */
export interface Unproven {
  /** A keyed digest of the network that it was sent from; null if the server does not know the address. */
  readonly network: string | null
  /** The language of the mail whose link confirms a hold; null if the booking does not depend on that link. */
  readonly confirmIn: Language | null
}

interface Common extends Place, Length {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly customerId: string
  /** Seats, party size, or items. */
  readonly quantity: number
  /** Fixed when booked, in cents of the org's currency. */
  readonly totalCents: number
  readonly reference: string
  /** The guest's own page is `/b/{handle}`. */
  readonly handle: string
  readonly source: Source
  readonly notes: string
  /** What was typed for it, whatever is known of the guest besides; null where the guest was named by their id, and once they are erased. */
  readonly contact: Required<Contact> | null
  readonly metadata: Metadata
  /** Null once the booking is paid, its mailed link was opened, or it is cancelled, and for every other source. */
  readonly unproven: Unproven | null
  readonly createdAt: Instant
  readonly paidAt: Instant | null
  readonly paymentIntentId: string | null
  /** Null while the payment stays, and where there is none. */
  readonly refund: BookingRefund | null
  /** Null while the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
  /** The place it left last; null until it moves. */
  readonly previous: Place | null
  /** When its confirmation was last sent again on request, at most once a day. */
  readonly resentAt: Instant | null
  /** The key it was made with and what for, so that a retry books once. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string }
}

/** Keeps its place until `expiresAt` and no longer, without any job. */
export interface Held extends Common {
  readonly status: "held"
  readonly expiresAt: Instant
  /** Being paid online: the provider is asked for a checkout. */
  readonly paymentDue: boolean
  readonly checkoutUrl: string | null
}

export interface Confirmed extends Common {
  readonly status: "confirmed"
}

export interface Cancelled extends Common {
  readonly status: "cancelled"
  readonly cancelledAt: Instant
}

/**
 * A hold always has its expiry and a cancelled booking its moment: these are
 * the only states.
 */
export type Booking = Held | Confirmed | Cancelled

export const statuses = ["held", "confirmed", "cancelled"] as const

export type Status = (typeof statuses)[number]

/** Whether it keeps its place at this moment. */
export const isLive = (booking: Booking, now: Instant): boolean =>
  booking.status === "confirmed" || (booking.status === "held" && booking.expiresAt > now)
