import type { Booking, Org } from "@trailbook/client/operations"

/**
 * One payment of a booking. A booking has another one when its first could not be
 * asked for any more, or when its guest has paid twice.
 *
 * @category models
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
 * What became of a checkout. `open` is also one whose money is on its way.
 *
 * @category models
 */
export type CheckoutState = { readonly status: "open" | "expired" } | {
  readonly status: "paid"
  /** What the provider calls the money that it took. */
  readonly payment_intent_id: string
}

/**
 * A payment provider. Every call may be repeated: it does one thing for one
 * payment, whose id is the provider's idempotency key. What the provider reports
 * is handed to `paid`.
 *
 * @category models
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
   * Gives the whole payment back. `payment_intent_id` of the booking is the payment that goes back, be it a second one
   * of a guest who paid twice.
   */
  readonly refund: (
    paid: Booking,
    org: Org,
    payment: Pick<Payment, "id" | "attempt" | "cents" | "currency">
  ) => Promise<unknown>
  /** What became of a checkout, by the provider's name for it; the payment's id where it was given none. */
  readonly look?: ((checkout: string) => Promise<CheckoutState>) | undefined
  /**
   * Ends a checkout unless it was paid, and says what it is then. Asked when a hold ends. Without it a guest may pay
   * later than that, and gets the money back where the place is gone.
   */
  readonly close?: ((checkout: string) => Promise<CheckoutState>) | undefined
}
