import * as Instant from "../time/Instant.ts"

/**
 * What is asked of the provider. It is stored before the provider is asked and
 * never changes: a provider does one thing for one key, and refuses the key when
 * anything else about the request is different.
 */
export interface PaymentRequest {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  /** The first payment of a booking is 1; another is asked for when one has ended unpaid. */
  readonly attempt: number
  /** Who takes the money, such as `stripe`; `host` is the program around us. */
  readonly provider: string
  /** Which account of the provider; null where the program around us takes the money. */
  readonly connection: string | null
  /** In the smallest unit of the currency. */
  readonly cents: number
  /** ISO 4217, lowercase. */
  readonly currency: string
  /** What the guest reads that they pay for. */
  readonly description: string
  readonly madeAt: Instant.Instant
  /** When the provider itself ends the checkout; see {@link checkoutEnd}. */
  readonly expiresAt: Instant.Instant
}

/** Who takes the money of a payment: a provider, with one of its accounts. */
export type PaymentAccount = Pick<PaymentRequest, "provider" | "connection">

/** A checkout as it is found again at its provider. */
export interface Checkout extends PaymentAccount {
  readonly orgId: string
  /** The provider's name for it. */
  readonly session: string
}

interface Common extends PaymentRequest {
  /** The provider's name for the checkout; null while its answer is not known. */
  readonly session: string | null
  /** The first paid checkout that did not match this request; null if none was found. */
  readonly mismatch: Mismatch | null
}

/**
 * Money that a checkout of this payment took, with another amount, currency, or
 * payment ID than requested. It settles nothing and is not refunded automatically:
 * the outfitter decides at the provider.
 */
export interface Mismatch {
  readonly at: Instant.Instant
  readonly intent: string
  /** The amount that was paid, in the smallest unit of `currency`; null if the provider does not report it. */
  readonly cents: number | null
  readonly currency: string | null
}

/**
 * Stored, and the provider is being asked; whether it knows of the payment may be
 * unknown.
 */
export interface Opening extends Common {
  readonly status: "opening"
}

/** The guest can pay at `url`. */
export interface Open extends Common {
  readonly status: "open"
  readonly session: string
  readonly url: string
}

/** The provider has the money. */
export interface Paid extends Common {
  readonly status: "paid"
  /** The provider's name for the money that was taken. */
  readonly intent: string
  readonly paidAt: Instant.Instant
  /** Null while the money stays. */
  readonly refund: Refund | null
  /** How many refund requests the provider has refused definitively. Each one ends an idempotency key; see {@link refundKey}. */
  readonly refusals: number
  /** Null while the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
}

/** Closed unpaid: its hold has ended, or the provider ended it. */
export interface Expired extends Common {
  readonly status: "expired"
}

/** Given up because the provider no longer takes what was asked. */
export interface Abandoned extends Common {
  readonly status: "abandoned"
}

export type Payment = Opening | Open | Paid | Expired | Abandoned

/**
 * The refund of a payment, always in full. A `due` refund with a `pendingId` was
 * accepted by the provider, which has not sent the money yet. A `refused` refund is
 * retried.
 */
export type Refund =
  | { readonly status: "due"; readonly at: Instant.Instant; readonly pendingId: string | null }
  | { readonly status: "done"; readonly at: Instant.Instant; readonly id: string }
  | { readonly status: "refused"; readonly at: Instant.Instant; readonly error: string }

export const refundStatuses = ["due", "done", "refused"] as const

/**
 * A dispute that the guest's bank opened. While it is `open`, the bank withholds the
 * money. `won` returns the money to the outfitter, and `lost` gives it to the guest.
 */
export interface Dispute {
  readonly status: (typeof disputeStatuses)[number]
  /** When it got this status. */
  readonly at: Instant.Instant
}

export const disputeStatuses = ["open", "won", "lost"] as const

/**
 * Whether a dispute withholds the money or has given it to the guest. A refund would
 * then pay the guest twice.
 */
export const isWithheld = (dispute: Pick<Dispute, "status"> | null): boolean =>
  dispute !== null && dispute.status !== "won"

/**
 * The idempotency key of the next refund request. A timeout or a server error keeps
 * the key, because the provider may have sent the money. A definite refusal ends the
 * key, because the provider repeats the stored refusal for every request under it.
 */
export const refundKey = ({ id, refusals }: Pick<Paid, "id" | "refusals">): string =>
  refusals === 0 ? id : `${id}:${refusals + 1}`

/** Whether money may still arrive for it in the ordinary way. */
export const isPayable = (payment: Payment): payment is Opening | Open =>
  payment.status === "opening" || payment.status === "open"

/**
 * When a checkout ends by itself: with the hold, but not before 31 minutes and not
 * after a day less a minute. Providers want 30 minutes to 24 hours from when they
 * are asked, so that of a hold of 30 minutes never fits. Whoever holds the place
 * ends it sooner.
 */
export const checkoutEnd = (hold: Instant.Instant, now: Instant.Instant): Instant.Instant =>
  Instant.make(Math.min(Math.max(hold, Instant.addMinutes(now, 31)), Instant.addMinutes(now, 24 * 60 - 1)))
