import type { PaymentNotification } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import type Stripe from "stripe"
import { stripeId } from "./toCheckout.ts"

/** The event types that the webhook endpoint subscribes to. */
export const eventTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.expired",
  "charge.dispute.created",
  "charge.dispute.closed",
  "charge.refunded",
  "refund.updated",
  "refund.failed"
] as const

/** Converts a Stripe event, or returns null if it is irrelevant. */
export const toPaymentNotification = (event: Stripe.Event): PaymentNotification | null => {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.expired": {
      const { client_reference_id: paymentId, id: session } = event.data.object
      return { _tag: "Checkout", session, paymentId }
    }
    case "charge.dispute.created": {
      const intent = stripeId(event.data.object.payment_intent)
      return intent === null ? null : { _tag: "Dispute", intent, at: atOf(event), status: "open" }
    }
    case "charge.dispute.closed": {
      const { payment_intent, status } = event.data.object
      const intent = stripeId(payment_intent)
      // An inquiry that closes without a dispute (`warning_closed`) does not move money.
      return intent === null
        ? null
        : { _tag: "Dispute", intent, at: atOf(event), status: status === "lost" ? "lost" : "won" }
    }
    case "charge.refunded":
    case "refund.updated":
    case "refund.failed": {
      const intent = stripeId(event.data.object.payment_intent)
      return intent === null ? null : { _tag: "Refund", intent }
    }
    default:
      return null
  }
}

const atOf = ({ created }: Stripe.Event): Instant.Instant => Instant.make(created * 1000)
