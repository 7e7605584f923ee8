import type { Booking, Org } from "@trailbook/client/operations"

/**
 * A payment provider. Every call may be repeated: it does one thing for one
 * booking, whose id is the provider's idempotency key. What the provider reports
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
  /** The address of a hosted checkout for a hold. */
  readonly checkout: (hold: Booking, org: Org) => Promise<string>
  /** Gives the whole payment of a booking back. */
  readonly refund: (paid: Booking, org: Org) => Promise<unknown>
}
