import type { Booking, Org } from "@trailbook/client/operations"

/**
 * One payment request for a booking. A booking gets another one if the first can no longer be paid, or if its guest
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
   * When the checkout should expire. This is when the hold ends, but at least 31 minutes ahead, because providers
   * refuse shorter times.
   */
  readonly expires_at: string
}

/**
 * A payment as the provider reports it. Trailbook compares each given field with its request. A payment that does not
 * match does not confirm the booking. Trailbook records it and notifies the staff.
 */
export interface PaidAmount {
  /** The ID of the payment that the checkout was made for, such as from its metadata. */
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
 * The outcome of a refund. While it is `pending`, Trailbook calls `refund` again every hour. After it was `refused`,
 * Trailbook calls `refund` with a new `refund_key`.
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
   * Returns whether an outfitter accepts online payment. Default: every outfitter does. Called before each booking that
   * can cost money, while no locks are held. If it does not resolve within 5 seconds, the order is refused as
   * `unavailable`.
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
   * Refunds `cents` of the payment, which is the entire payment unless a cancellation keeps a part. The payment to
   * refund is the booking's `payment_intent_id`, even if it is the second payment from a guest who paid twice. Use
   * `refund_key` as the idempotency key. Resolves to a `RefundState`. Any other value means that the refund is done. If
   * the provider does not respond or fails, throw. The next call then has the same key.
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
   * Expires a checkout unless it has been paid, and returns its state. Trailbook calls it when a hold ends. Without
   * this function, a guest can still pay after the hold, and gets a refund if the place is gone.
   */
  readonly close?: ((checkout: string) => Promise<CheckoutState>) | undefined
}
