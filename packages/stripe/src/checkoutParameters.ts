import type { CheckoutRequest } from "@trailbook/core/payment/PaymentProvider"
import type Stripe from "stripe"

/**
 * Payment methods that take hours or days to confirm. A hold lasts minutes, so such payments would always be
 * refunded.
 */
const slow = [
  "acss_debit",
  "au_becs_debit",
  "bacs_debit",
  "boleto",
  "customer_balance",
  "konbini",
  "multibanco",
  "nz_bank_account",
  "oxxo",
  "payto",
  "sepa_debit",
  "us_bank_account"
] as const

/**
 * Builds the parameters of a checkout. They derive only from the stored payment, never from a clock, because Stripe
 * rejects a repeated idempotency key with different parameters.
 */
export const checkoutParameters = (
  request: CheckoutRequest,
  amount: number
): Stripe.Checkout.SessionCreateParams => {
  const metadata = { payment: request.id, booking: request.bookingId }
  return {
    mode: "payment",
    client_reference_id: request.id,
    line_items: [{
      quantity: 1,
      price_data: { currency: request.currency, unit_amount: amount, product_data: { name: request.description } }
    }],
    expires_at: Math.floor(request.expiresAt / 1000),
    excluded_payment_method_types: [...slow],
    success_url: request.paidUrl,
    cancel_url: request.returnUrl,
    metadata,
    payment_intent_data: { metadata },
    ...(request.email === null ? {} : { customer_email: request.email })
  }
}
