import type { CheckoutRequest } from "@trailbook/core/payment"
import * as Either from "effect/Either"
import type Stripe from "stripe"
import { toStripeUnits } from "./toStripeUnits.ts"

/**
 * Payment methods that take hours or days to settle. A hold lasts only minutes, so Trailbook would refund every one of
 * these payments.
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
 * Builds the checkout parameters from the stored payment and its booking. They do not depend on the clock, because
 * Stripe rejects an idempotency key that is reused with different parameters.
 */
export const buildCheckoutParameters = (
  request: CheckoutRequest,
  amount: number
): Stripe.Checkout.SessionCreateParams => {
  const metadata = { payment: request.id, booking: request.bookingId }
  return {
    mode: "payment",
    client_reference_id: request.id,
    line_items: lineItems(request, amount),
    expires_at: Math.floor(request.expiresAt / 1000),
    excluded_payment_method_types: [...slow],
    success_url: request.paidUrl,
    cancel_url: request.returnUrl,
    metadata,
    payment_intent_data: { metadata },
    ...(request.email === null ? {} : { customer_email: request.email })
  }
}

const lineItems = (
  { currency, description, items }: CheckoutRequest,
  amount: number
): Array<Stripe.Checkout.SessionCreateParams.LineItem> => {
  const item = (unit_amount: number, { details, name, quantity }: Omit<CheckoutRequest["items"][number], "cents">) => ({
    quantity,
    price_data: {
      currency,
      unit_amount,
      product_data: { name, ...(details === "" ? {} : { description: details }) }
    }
  })
  // In some currencies, Stripe can charge the total but not the individual item amounts.
  return Either.getOrElse(
    Either.all(items.map((one) => Either.map(toStripeUnits(one.cents, currency), (cents) => item(cents, one)))),
    () => [item(amount, { name: description, quantity: 1, details: "" })]
  )
}
