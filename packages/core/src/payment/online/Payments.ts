import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Org } from "../../org/Org.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Checkout, PaidPayment, PaymentAccount, PaymentRequest, Refund } from "../Payment.ts"
import {
  type OpenedCheckout,
  type PaymentNotification,
  PaymentsFailed,
  type ProviderCheckout,
  type ProviderRefund,
  type RefundOutcome
} from "../PaymentProvider.ts"

/**
 * Provides online payments: an org's account and the state of each payment in that account. Every call is idempotent,
 * because the payment's ID is part of the provider's idempotency key. Never call the service inside a transaction or
 * for free bookings.
 *
 * Only `getCheckout`, `close`, and `refunds` report money. A webhook or an event only names the checkout or payment to
 * query. A paid checkout's amount, currency, and payment ID are compared with the request before the payment is
 * settled.
 */
export class Payments extends Context.Tag("@trailbook/core/Payments")<
  Payments,
  {
    /**
     * Returns the org's payment account, or null if the org has no account. A booking that requires payment fails if
     * the provider does not respond within 5 seconds.
     */
    readonly connected: (orgId: string) => Effect.Effect<PaymentAccount | null>
    /**
     * Opens a hosted checkout for a hold or a balance payment. Returns null if the checkout is not available yet.
     * Repeat the same request later to get it. The parameters are stored before the call and never change between
     * attempts. A `stale` error means that this payment can no longer be requested, so a new payment is needed.
     */
    readonly checkout: (
      payment: PaymentRequest,
      hold: BookingRecord,
      org: Org
    ) => Effect.Effect<OpenedCheckout | null, PaymentsFailed>
    /** Returns the state of a checkout. */
    readonly getCheckout: (checkout: Checkout) => Effect.Effect<ProviderCheckout, PaymentsFailed>
    /** Expires a checkout unless it was paid, and returns its state. */
    readonly close: (checkout: Checkout) => Effect.Effect<ProviderCheckout, PaymentsFailed>
    /**
     * Refunds a payment in full or in part, under the key from `getRefundIdempotencyKey`. This method is called
     * repeatedly while the refund is `pending`. The booking may have been paid by a different payment.
     */
    readonly refund: (
      payment: PaidPayment,
      refund: Refund,
      booking: BookingRecord,
      org: Org
    ) => Effect.Effect<RefundOutcome, PaymentsFailed>
    /** Returns every refund for a payment, including refunds made at the provider. */
    readonly refunds: (payment: PaidPayment) => Effect.Effect<ReadonlyArray<ProviderRefund>, PaymentsFailed>
    /**
     * Returns the changes at an account since the given time, oldest first. A change can be returned twice, but none is
     * skipped.
     */
    readonly since: (
      account: PaymentAccount & Pick<Checkout, "orgId">,
      moment: Instant
    ) => Effect.Effect<ReadonlyArray<PaymentNotification>, PaymentsFailed>
  }
>() {
  /** A service without a provider. Bookings are confirmed without online payment. */
  static readonly layerNone = Layer.succeed(
    Payments,
    Payments.of({
      connected: () => Effect.succeed(null),
      checkout: () => noProvider,
      getCheckout: () => noProvider,
      close: () => noProvider,
      refund: () => noProvider,
      refunds: () => noProvider,
      since: () => Effect.succeed([])
    })
  )
}

/**
 * Queries the org's payment account. Returns null if the org has no account, and undefined if the provider does not
 * respond. The query runs third-party code, so run it outside the transaction.
 */
export const queryPaymentAccount = (
  { connected }: Pick<Payments["Type"], "connected">,
  orgId: string
): Effect.Effect<PaymentAccount | null | undefined> =>
  Effect.map(Effect.timeoutOption(Effect.disconnect(connected(orgId)), "5 seconds"), Option.getOrUndefined)

const noProvider = Effect.fail(new PaymentsFailed({ message: "No payment provider is connected." }))

/**
 * The timeout of a provider call. A provider's library usually times out after 15 seconds. This limit covers libraries
 * that have no timeout.
 */
const patience = "20 seconds"

/**
 * Limits the duration of a provider call. The call runs third-party code, so the caller stops waiting even if the call
 * cannot be interrupted.
 */
export const withProviderTimeout = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentsFailed> =>
  Effect.timeoutFail(Effect.disconnect(call), {
    duration: patience,
    onTimeout: () => new PaymentsFailed({ message: "The payment provider did not respond." })
  })
