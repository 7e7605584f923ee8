import { type BookingRecord, bookingView } from "@trailbook/core/booking"
import { orgView } from "@trailbook/core/org"
import {
  type Checkout,
  getRefundIdempotencyKey,
  type PaymentRequest,
  Payments,
  PaymentsFailed,
  type ProviderCheckout,
  type RefundOutcome
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { formatHostFailure } from "../transaction/HostFunctionError.ts"
import type * as Host from "./Payments.ts"

/**
 * Adapts the host application's payment provider. If the provider lacks an optional function, the adapter reports no
 * change. A checkout that cannot be expired can still be paid, and `paid` then reports the payment.
 */
export const paymentsLayer = (payments: Host.Payments | undefined): Layer.Layer<Payments> => {
  if (payments === undefined) return Payments.layerNone
  const callHost = <A>(call: () => Promise<A>) =>
    Effect.tryPromise({
      try: async () => call(),
      catch: (error) => new PaymentsFailed({ message: formatHostFailure("payments", error) })
    })
  const findCheckout = (
    call: ((checkout: string) => Promise<Host.CheckoutState>) | undefined,
    { session }: Checkout,
    defaultStatus: "open" | "expired"
  ) =>
    call === undefined
      ? Effect.succeed<ProviderCheckout>({ session, paymentId: null, status: defaultStatus })
      : Effect.map(callHost(() => call(session)), (state) => toFoundCheckout(session, state))

  return Layer.succeed(
    Payments,
    Payments.of({
      // An error here fails the booking request and is thrown to its caller.
      connected: (orgId) =>
        Effect.map(
          Effect.promise(async () => payments.connected?.(orgId) ?? true),
          (isConnected) => isConnected ? { provider: "host", connection: null } : null
        ),
      checkout: (payment, record, org) =>
        Effect.map(
          callHost(() => payments.checkout(bookingView(record), orgView(org), paymentView(payment))),
          (checkout) =>
            typeof checkout === "string"
              ? { session: payment.id, url: checkout }
              : { session: checkout.checkout, url: checkout.url }
        ),
      getCheckout: (checkout) => findCheckout(payments.look?.bind(payments), checkout, "open"),
      close: (checkout) => findCheckout(payments.close?.bind(payments), checkout, "expired"),
      refund: (payment, refund, record, org) =>
        Effect.flatMap(
          callHost(() =>
            payments.refund(bookingView(withPaymentIntent(record, payment.intent)), orgView(org), {
              ...paymentView(payment),
              cents: refund.cents,
              refund_key: getRefundIdempotencyKey(payment, refund)
            })
          ),
          (result) => toRefundOutcome(result, `refund:${refund.id}`)
        ),
      // Only providers with a connection report refund changes. For a host application, Trailbook calls `refund` again
      // instead.
      refunds: () => Effect.succeed([]),
      since: () => Effect.succeed([])
    })
  )
}

const paymentView = ({ attempt, cents, currency, expiresAt, id }: PaymentRequest): Host.Payment => ({
  id,
  attempt,
  cents,
  currency,
  expires_at: Instant.format(expiresAt)
})

/** Sets the booking's payment ID. The host application uses this ID to refund the payment. */
const withPaymentIntent = (record: BookingRecord, paymentIntentId: string): BookingRecord => ({
  ...record,
  booking: { ...record.booking, paymentIntentId }
})

const toRefundOutcome = (result: unknown, fallbackId: string): Effect.Effect<RefundOutcome, PaymentsFailed> => {
  const { id, reason, status }: { readonly id?: unknown; readonly reason?: unknown; readonly status?: unknown } =
    typeof result === "object" && result !== null ? result : { id: result }
  if (status === "refused") {
    return new PaymentsFailed({ message: String(reason), reason: "declined" })
  }
  return Effect.succeed({
    id: typeof id === "string" && id !== "" ? id : fallbackId,
    status: status === "pending" ? "pending" : "done",
    reason: ""
  })
}

const toFoundCheckout = (session: string, state: Host.CheckoutState): ProviderCheckout =>
  state.status === "paid"
    ? {
      session,
      paymentId: state.payment_id ?? null,
      status: "paid",
      intent: state.payment_intent_id,
      cents: state.cents ?? null,
      currency: state.currency ?? null
    }
    : { session, paymentId: null, status: state.status }
