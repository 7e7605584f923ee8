import { PaymentsFailed } from "@trailbook/core/payment"

/** The fields of a Stripe error that decide how the caller proceeds. */
interface StripeFault {
  readonly type: string
  readonly statusCode: number | undefined
  readonly code: string | undefined
  readonly param: string | undefined
  readonly message: string
}

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** Reads an error from Stripe's library, or returns undefined for any other error. */
export const classifyError = (error: unknown): StripeFault | undefined => {
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
 * Converts a failed call to a `PaymentsFailed` error, whose reason tells the caller how to proceed.
 *
 * Stripe stores each response, including errors, under its idempotency key for at least 24 hours. A checkout that
 * failed inside Stripe therefore needs a new payment, and a request that Stripe processed and declined needs a new key.
 */
export const paymentsFailed = (error: unknown, call: "read" | "checkout" | "refund" = "read"): PaymentsFailed => {
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
