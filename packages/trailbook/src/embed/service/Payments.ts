import type { Booking, Org } from "@trailbook/client/operations"

/**
 * A payment request for a booking. A booking gets another request if the first can no longer be paid, or if the guest
 * paid twice.
 */
export interface Payment {
  /**
   * The ID of the request. Use it as the provider's idempotency key, because requests with the same ID are identical.
   */
  readonly id: string
  /** The request's number, which starts at 1 for each booking. */
  readonly attempt: number
  /** The amount in the smallest unit of the currency. */
  readonly cents: number
  /** The currency's ISO 4217 code, in lowercase. */
  readonly currency: string
  /**
   * The time when the checkout should expire: when the hold does, but at least 31 minutes from now, because providers
   * refuse shorter times.
   */
  readonly expires_at: string
}

/**
 * A payment as the provider reports it. Trailbook compares each field that is set with its payment request. If the
 * payment does not match, Trailbook records it and notifies the staff instead of confirming the booking.
 */
export interface PaidAmount {
  /** The ID of the payment request for the checkout, for example from the checkout's metadata. */
  readonly payment_id?: string | undefined
  /** The amount in the smallest unit of the currency. */
  readonly cents?: number | undefined
  /** The currency's ISO 4217 code. */
  readonly currency?: string | undefined
}

/** The state of a checkout. A checkout with a pending payment is also `open`. */
export type CheckoutState =
  | { readonly status: "open" | "expired" }
  | PaidAmount & {
    readonly status: "paid"
    /** The provider's ID for the completed payment. */
    readonly payment_intent_id: string
  }

/**
 * The outcome of a refund. While a refund is `pending`, Trailbook calls `refund` again every hour. If a refund is
 * `refused`, Trailbook calls `refund` again with a new `refund_key`.
 */
export type RefundState =
  /** The provider has sent the money. */
  | { readonly status: "done"; readonly id?: string | undefined }
  /** The provider has accepted the refund but has not sent the money yet. */
  | { readonly status: "pending"; readonly id?: string | undefined }
  /** The provider has processed the request and refused it. `reason` is shown to the staff. */
  | { readonly status: "refused"; readonly reason: string }

/**
 * A payment provider. Each call can be repeated and must be idempotent. Use the payment's ID as the provider's
 * idempotency key. Report completed payments with `paid`.
 */
export interface Payments {
  /**
   * Returns whether an outfitter accepts online payment. Default: every outfitter does. Trailbook calls this function
   * before each booking that can cost money, while it holds no locks. If the call does not resolve within 5 seconds,
   * the booking is refused as `unavailable`.
   */
  readonly connected?: ((orgId: string) => boolean | Promise<boolean>) | undefined
  /**
   * Creates a hosted checkout for a hold, or for the balance of a confirmed booking, and resolves to its URL. Include
   * the provider's checkout ID if `look` or `close` needs it.
   */
  readonly checkout: (
    hold: Booking,
    org: Org,
    payment: Payment
  ) => Promise<string | { readonly url: string; readonly checkout: string }>
  /**
   * Refunds `cents` of the payment. This can be less than the full amount, for example if the outfitter keeps part of
   * it after a cancellation. Refund the payment in the booking's `payment_intent_id`, even if it is the second payment
   * from a guest who paid twice. Use `refund_key` as the idempotency key. Resolves to a `RefundState`. Any other value
   * means that the refund is done. Throw if the provider fails or does not respond. The next call then passes the same
   * key.
   */
  readonly refund: (
    paid: Booking,
    org: Org,
    payment: Pick<Payment, "id" | "attempt" | "cents" | "currency"> & { readonly refund_key: string }
  ) => Promise<unknown>
  /**
   * Returns the state of a checkout. The argument is the provider's checkout ID, or the payment ID if `checkout`
   * returned only a URL.
   */
  readonly look?: ((checkout: string) => Promise<CheckoutState>) | undefined
  /**
   * Expires a checkout unless it has been paid, and returns its state. Trailbook calls this function when a hold ends.
   * Without it, a guest can still pay after the hold has ended, and gets a refund if the capacity has been sold.
   */
  readonly close?: ((checkout: string) => Promise<CheckoutState>) | undefined
}
