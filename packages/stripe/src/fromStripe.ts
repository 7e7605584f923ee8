import {
  type PaymentNotification,
  PaymentsFailed,
  type ProviderCheckout,
  type ProviderRefund
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import type Stripe from "stripe"
import { toCents } from "./toStripeUnits.ts"

/**
 * Converts a Stripe Checkout session. A completed session without a payment is still open, because the money has not
 * arrived yet.
 */
export const toCheckout = (session: Stripe.Checkout.Session): ProviderCheckout => {
  const { amount_total: amount, client_reference_id: paymentId, currency, id } = session
  const intent = stripeId(session.payment_intent)
  const checkout = { session: id, paymentId }
  if (session.payment_status === "paid" && intent !== null && amount !== null && currency !== null) {
    return { ...checkout, status: "paid", intent, cents: toCents(amount, currency), currency }
  }
  return { ...checkout, status: session.status === "expired" ? "expired" : "open" }
}

/** Returns the ID from a reference, which Stripe sends as an ID or as an expanded object. */
const stripeId = (reference: string | { readonly id: string } | null | undefined): string | null =>
  typeof reference === "string" ? reference : reference?.id ?? null

/**
 * Converts a Stripe refund. Only `succeeded` means that Stripe has sent the money. `pending` can last for days, and
 * `requires_action` waits for the guest.
 */
export const toRefund = (
  { amount, currency, failure_reason: why, id, metadata, status }: Stripe.Refund
): ProviderRefund => ({
  id,
  status: status === "succeeded" ? "done" : status === "failed" || status === "canceled" ? "failed" : "pending",
  cents: toCents(amount, currency),
  reason: why ?? (status === "canceled" ? "canceled" : ""),
  refundId: metadata?.["refund"] ?? null
})

/** The event types that the webhook endpoint subscribes to. */
export const subscribedEventTypes = [
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

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/**
 * Reads the fields of an error from Stripe's library that determine how the caller proceeds. Returns undefined for any
 * other error.
 */
export const classifyError = (error: unknown) => {
  if (!(error instanceof Error) || !("type" in error) || !textOf(error.type)?.startsWith("Stripe")) return undefined
  const { code, param, statusCode, type }: {
    readonly code?: unknown
    readonly param?: unknown
    readonly statusCode?: unknown
    readonly type: unknown
  } = error
  return {
    type: String(type),
    statusCode: typeof statusCode === "number" ? statusCode : undefined,
    code: textOf(code),
    param: textOf(param),
    message: error.message
  }
}

/**
 * Converts a failed call to a `PaymentsFailed` error, whose reason tells the caller how to proceed. Returns a
 * `PaymentsFailed` error unchanged.
 *
 * Stripe stores each response, including errors, under its idempotency key for at least 24 hours. A checkout that
 * failed inside Stripe therefore needs a new payment, and a request that Stripe processed and declined needs a new key.
 */
export const toPaymentsFailed = (error: unknown, call: "read" | "checkout" | "refund" = "read"): PaymentsFailed => {
  if (error instanceof PaymentsFailed) return error
  const fault = classifyError(error)
  if (fault === undefined) return new PaymentsFailed({ message: `The request to Stripe failed: ${String(error)}` })
  const { code, param, statusCode = 0, type } = fault
  const message = `Stripe: ${withoutKeys(fault.message)}`
  // Another request is currently using the same key.
  if (code === "idempotency_key_in_use" || statusCode === 409) return new PaymentsFailed({ message })
  if (call === "checkout" && (type === "StripeIdempotencyError" || param === "expires_at" || statusCode >= 500)) {
    return new PaymentsFailed({ message, reason: "stale" })
  }
  if (call !== "read" && type !== "StripeIdempotencyError" && storedRefusals.has(statusCode)) {
    return new PaymentsFailed({ message, reason: "declined" })
  }
  const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 429 && type !== "StripeRateLimitError"
  return isRefused ? new PaymentsFailed({ message, reason: "refused" }) : new PaymentsFailed({ message })
}

/**
 * The status codes for requests that Stripe processed. Stripe checks the API key (401, 403) and the rate limit (429)
 * before it looks up the idempotency key, so those status codes do not show whether an earlier request with the key
 * succeeded.
 */
const storedRefusals: ReadonlySet<number> = new Set([400, 402, 404])

/**
 * Removes API keys from a message. Stripe quotes most of an invalid key in its message, which is stored and displayed.
 */
const withoutKeys = (message: string): string => message.replace(/\b([rs]k_(?:live|test))_\S+/g, "$1_…")
