import type { PaymentNews } from "@trailbook/core/payment/PaymentProvider"
import * as Instant from "@trailbook/core/time/Instant"
import type Stripe from "stripe"
import { idOf } from "./foundCheckout.ts"

/**
 * The events that a service has to hear of.
 *
 * @category constants
 */
export const eventTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.expired",
  "charge.dispute.created"
] as const

/**
 * Where an event says to look; null when it is about nothing of ours.
 *
 * @category converting
 */
export const newsOf = (event: Stripe.Event): PaymentNews | null => {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.expired": {
      const { client_reference_id: paymentId, id: session } = event.data.object
      return { _tag: "Checkout", session, paymentId }
    }
    case "charge.dispute.created": {
      const intent = idOf(event.data.object.payment_intent)
      return intent === null ? null : { _tag: "Dispute", intent, at: Instant.make(event.created * 1000) }
    }
    default:
      return null
  }
}
