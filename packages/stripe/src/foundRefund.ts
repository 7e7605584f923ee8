import type { FoundRefund } from "@trailbook/core/payment"
import type Stripe from "stripe"
import { toCents } from "./stripeAmount.ts"

/**
 * Converts a Stripe refund. Only `succeeded` means that Stripe has sent the money. `pending` can last for days, and
 * `requires_action` waits for the guest.
 */
export const foundRefund = (
  { amount, currency, failure_reason: why, id, metadata, status }: Stripe.Refund
): FoundRefund => ({
  id,
  status: status === "succeeded" ? "done" : status === "failed" || status === "canceled" ? "failed" : "pending",
  cents: toCents(amount, currency),
  reason: why ?? (status === "canceled" ? "canceled" : ""),
  refundId: metadata?.["refund"] ?? null
})
