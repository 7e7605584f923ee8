import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Org } from "../../org/Org.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Checkout, Paid, PaymentAccount, PaymentRequest } from "../Payment.ts"
import type {
  FoundCheckout,
  FoundRefund,
  OpenedCheckout,
  PaymentNotification,
  RefundOutcome
} from "../PaymentProvider.ts"
import { PaymentsFailed } from "../PaymentsFailed.ts"

export { PaymentsFailed }

/**
 * Online payment, as the service asks for it: whose account takes an org's money,
 * and what becomes of each payment there. Every call may be repeated and does one
 * thing for one payment, whose id is the provider's idempotency key. Never called
 * inside a unit of work, and never for what costs nothing.
 *
 * Only `look`, `close`, and `refunds` report money. A notice or an event only names
 * the checkout or payment to query. The amount, the currency, and the payment ID of a
 * paid checkout are compared with the request before it settles anything.
 */
export class Payments extends Context.Tag("@trailbook/core/Payments")<
  Payments,
  {
    /** Who takes this org's money online; null where nobody does. Who does not answer in 5 seconds loses the order. */
    readonly connected: (orgId: string) => Effect.Effect<PaymentAccount | null>
    /**
     * A hosted checkout for a payment of a hold; null when it is to be had later, by the same order made again. What is
     * asked was stored before and is the same each time. `stale`: this payment cannot be asked for any more, and another
     * one is.
     */
    readonly checkout: (
      payment: PaymentRequest,
      hold: BookingRecord,
      org: Org
    ) => Effect.Effect<OpenedCheckout | null, PaymentsFailed>
    /** What became of a checkout. */
    readonly look: (checkout: Checkout) => Effect.Effect<FoundCheckout, PaymentsFailed>
    /** Ends a checkout unless it was paid, and says what it is then. */
    readonly close: (checkout: Checkout) => Effect.Effect<FoundCheckout, PaymentsFailed>
    /**
     * Refunds a payment in full, under the key of `refundKey`. It is called again while the refund is `pending`. The
     * booking may have been paid for with another payment.
     */
    readonly refund: (
      payment: Paid,
      booking: BookingRecord,
      org: Org
    ) => Effect.Effect<RefundOutcome, PaymentsFailed>
    /** Every refund of a payment, including those that were made at the provider. */
    readonly refunds: (payment: Paid) => Effect.Effect<ReadonlyArray<FoundRefund>, PaymentsFailed>
    /**
     * What happened since a moment at an account of an org, the oldest first. A moment may be told of twice, and none is
     * left out.
     */
    readonly since: (
      account: PaymentAccount & Pick<Checkout, "orgId">,
      moment: Instant
    ) => Effect.Effect<ReadonlyArray<PaymentNotification>, PaymentsFailed>
  }
>() {
  /** No provider: bookings confirm without online payment. */
  static readonly layerNone = Layer.succeed(
    Payments,
    Payments.of({
      connected: () => Effect.succeed(null),
      checkout: () => none,
      look: () => none,
      close: () => none,
      refund: () => none,
      refunds: () => none,
      since: () => Effect.succeed([])
    })
  )
}

const none = Effect.fail(new PaymentsFailed({ message: "No payment provider is connected." }))
