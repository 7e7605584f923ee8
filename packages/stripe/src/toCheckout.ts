import type { FoundCheckout } from "@trailbook/core/payment"
import type Stripe from "stripe"
import { toCents } from "./stripeAmount.ts"

/**
 * Converts a Stripe Checkout session. A completed session without a payment is still open, because the money has not
 * arrived yet.
 */
export const toCheckout = (session: Stripe.Checkout.Session): FoundCheckout => {
  const { amount_total: amount, client_reference_id: paymentId, currency, id } = session
  const intent = stripeId(session.payment_intent)
  const checkout = { session: id, paymentId }
  if (session.payment_status === "paid" && intent !== null && amount !== null && currency !== null) {
    return { ...checkout, status: "paid", intent, cents: toCents(amount, currency), currency }
  }
  return { ...checkout, status: session.status === "expired" ? "expired" : "open" }
}

/** Returns the ID from a reference, which Stripe sends as an ID or as an expanded object. */
export const stripeId = (reference: string | { readonly id: string } | null | undefined): string | null =>
  typeof reference === "string" ? reference : reference?.id ?? null
