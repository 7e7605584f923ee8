import type { Booking, Org } from "@trailbook/client/operations"

/**
 * One payment of a booking. A booking has another one when its first could not be
 * asked for any more, or when its guest has paid twice.
 */
export interface Payment {
  /** The provider's idempotency key: what is asked for a payment is always the same. */
  readonly id: string
  /** The first payment of a booking is 1. */
  readonly attempt: number
  /** In the smallest unit of the currency. */
  readonly cents: number
  /** ISO 4217, lowercase. */
  readonly currency: string
  /** When a checkout should end by itself: with the hold, but not before 31 minutes, since providers refuse less. */
  readonly expires_at: string
}

/**
 * What was paid, as the provider reports it. Trailbook compares each field that is
 * given with its request. Money that does not match confirms no booking: it is
 * recorded, and the staff are notified.
 */
export interface PaidAmount {
  /** The ID of the payment that the checkout was made for, such as from its metadata. */
  readonly payment_id?: string | undefined
  /** In the smallest unit of the currency. */
  readonly cents?: number | undefined
  /** ISO 4217. */
  readonly currency?: string | undefined
}

/** What became of a checkout. `open` is also one whose money is on its way. */
export type CheckoutState =
  | { readonly status: "open" | "expired" }
  | PaidAmount & {
    readonly status: "paid"
    /** What the provider calls the money that it took. */
    readonly payment_intent_id: string
  }

/**
 * The outcome of a refund. Trailbook calls `refund` again every hour while it is
 * `pending`, and with a new `refund_key` after it was `refused`.
 */
export type RefundState =
  /** The provider has sent the money. */
  | { readonly status: "done"; readonly id?: string | undefined }
  /** The provider has accepted the refund and has not sent the money. */
  | { readonly status: "pending"; readonly id?: string | undefined }
  /** The provider has processed the request and refused it. `reason` is shown to the staff. */
  | { readonly status: "refused"; readonly reason: string }

/**
 * A payment provider. Every call may be repeated: it does one thing for one
 * payment, whose id is the provider's idempotency key. What the provider reports
 * is handed to `paid`.
 */
export interface Payments {
  /**
   * Whether an outfitter takes money online; every one does when this is left out. It
   * is asked before a booking that may cost money, while nothing is locked. When it
   * has not answered in 5 seconds, the order is refused as `unavailable`.
   */
  readonly connected?: ((orgId: string) => boolean | Promise<boolean>) | undefined
  /** The address of a hosted checkout for a hold; with the provider's name for it, where `look` and `close` ask for it. */
  readonly checkout: (
    hold: Booking,
    org: Org,
    payment: Payment
  ) => Promise<string | { readonly url: string; readonly checkout: string }>
  /**
   * Refunds the whole payment. `payment_intent_id` of the booking is the payment to refund, also if it is the second
   * one of a guest who paid twice. Use `refund_key` as the idempotency key. Resolves to a `RefundState`; any other
   * value means done. Throw if the provider did not answer or failed: the next call has the same key.
   */
  readonly refund: (
    paid: Booking,
    org: Org,
    payment: Pick<Payment, "id" | "attempt" | "cents" | "currency"> & { readonly refund_key: string }
  ) => Promise<unknown>
  /** What became of a checkout, by the provider's name for it; the payment's id where it was given none. */
  readonly look?: ((checkout: string) => Promise<CheckoutState>) | undefined
  /**
   * Ends a checkout unless it was paid, and says what it is then. Asked when a hold ends. Without it a guest may pay
   * later than that, and gets the money back where the place is gone.
   */
  readonly close?: ((checkout: string) => Promise<CheckoutState>) | undefined
}
