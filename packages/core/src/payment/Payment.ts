import * as Instant from "../time/Instant.ts"

/**
 * The request to the provider. It is stored before the provider is called and never changes, because a provider rejects
 * a repeated idempotency key with different parameters.
 */
export interface PaymentRequest {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  /** The attempt number, starting at 1. The next payment is requested when the previous one ended unpaid. */
  readonly attempt: number
  /** The provider, such as `stripe`. `host` stands for the host application. */
  readonly provider: string
  /** The account with the provider. Null if the host application takes the payment. */
  readonly connection: string | null
  /** The amount in the smallest unit of the currency. */
  readonly cents: number
  /** The currency (ISO 4217, lowercase). */
  readonly currency: string
  /** The description that the guest sees at the checkout. */
  readonly description: string
  readonly madeAt: Instant.Instant
  /** When the provider expires the checkout. See {@link checkoutEnd}. */
  readonly expiresAt: Instant.Instant
}

/** The provider of a payment and one of its accounts. */
export type PaymentAccount = Pick<PaymentRequest, "provider" | "connection">

/** A reference to a checkout at its provider. */
export interface Checkout extends PaymentAccount {
  readonly orgId: string
  /** The provider's ID of the checkout. */
  readonly session: string
}

interface Common extends PaymentRequest {
  /** The provider's ID of the checkout. Null until the provider has responded. */
  readonly session: string | null
  /** The first paid checkout that did not match this request. Null if there is none. */
  readonly mismatch: Mismatch | null
}

/**
 * A payment that a checkout took with a different amount, currency, or payment ID than requested. It settles no booking
 * and is not refunded automatically. The outfitter decides at the provider.
 */
export interface Mismatch {
  readonly at: Instant.Instant
  readonly intent: string
  /** The paid amount in the smallest unit of `currency`. Null if the provider does not report it. */
  readonly cents: number | null
  readonly currency: string | null
}

/** The payment is stored. The request to the provider is running, or its outcome is unknown. */
export interface Opening extends Common {
  readonly status: "opening"
}

/** The guest can pay at `url`. */
export interface Open extends Common {
  readonly status: "open"
  readonly session: string
  readonly url: string
}

/** The provider received the money. */
export interface Paid extends Common {
  readonly status: "paid"
  /** The provider's ID of the received money. */
  readonly intent: string
  readonly paidAt: Instant.Instant
  /** Null unless the payment is refunded. */
  readonly refund: Refund | null
  /**
   * The number of refund requests that the provider definitely refused. Each one ends an idempotency key; see {@link
   * refundKey}.
   */
  readonly refusals: number
  /** Null while the guest's bank has not disputed the payment. */
  readonly dispute: Dispute | null
}

/** The payment was closed unpaid, because the hold ended or the checkout expired at the provider. */
export interface Expired extends Common {
  readonly status: "expired"
}

/** The payment was abandoned, because the provider no longer accepts its parameters. */
export interface Abandoned extends Common {
  readonly status: "abandoned"
}

export type Payment = Opening | Open | Paid | Expired | Abandoned

/**
 * The refund of a payment, or of the part of it that a cancellation returns. A `due` refund with a `pendingId` was accepted by the provider, which has
 * not sent the money yet. A `refused` refund is retried.
 */
export type Refund =
  & { readonly at: Instant.Instant; readonly cents: number }
  & (
    | { readonly status: "due"; readonly pendingId: string | null }
    | { readonly status: "done"; readonly id: string }
    | { readonly status: "refused"; readonly error: string }
  )

export const refundStatuses = ["due", "done", "refused"] as const

/**
 * A dispute that the guest's bank opened. While it is `open`, the bank withholds the money. `won` returns the money to
 * the outfitter, and `lost` gives it to the guest.
 */
export interface Dispute {
  readonly status: (typeof disputeStatuses)[number]
  /** When the status changed. */
  readonly at: Instant.Instant
}

export const disputeStatuses = ["open", "won", "lost"] as const

/**
 * Returns whether a dispute withholds the money or has given it to the guest. In both cases, a refund would pay the
 * guest twice.
 */
export const isWithheld = (dispute: Pick<Dispute, "status"> | null): boolean =>
  dispute !== null && dispute.status !== "won"

/**
 * Returns the idempotency key of the next refund request. After a timeout or a server error, the key stays the same,
 * because the provider may have sent the money. After a definite refusal, a new key is needed, because the provider
 * repeats the stored refusal for every request with the old key.
 */
export const refundKey = ({ id, refusals }: Pick<Paid, "id" | "refusals">): string =>
  refusals === 0 ? id : `${id}:${refusals + 1}`

/** Returns whether the guest can still pay in the normal way. */
export const isPayable = (payment: Payment): payment is Opening | Open =>
  payment.status === "opening" || payment.status === "open"

/**
 * Returns the time when the provider expires a checkout. This is the expiry of the hold, but at least 31 minutes and at
 * most 24 hours less a minute from now. Providers require 30 minutes to 24 hours from the time of the request, so a
 * hold of 30 minutes would always be too short. Trailbook closes the checkout earlier, when the hold expires.
 */
export const checkoutEnd = (hold: Instant.Instant, now: Instant.Instant): Instant.Instant =>
  Instant.make(Math.min(Math.max(hold, Instant.addMinutes(now, 31)), Instant.addMinutes(now, 24 * 60 - 1)))
