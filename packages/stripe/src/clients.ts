import type { ProviderCredentials } from "@trailbook/core/payment/PaymentProvider"
import { PaymentsFailed } from "@trailbook/core/payment/PaymentsFailed"
import * as Effect from "effect/Effect"
import type Stripe from "stripe"

/** The host of Stripe, for tests, and the timeout of a call. */
export interface StripeOptions {
  readonly host?: string
  readonly port?: number
  readonly protocol?: "http" | "https"
  /** Default: 15 seconds. */
  readonly timeoutMs?: number
}

/** The maximum number of accounts whose clients, with their open connections, are cached. */
const kept = 100

/**
 * Creates one client per account on first use. The library is loaded then too: it takes 0.2 seconds and 22 MB, which
 * processes without payments do not spend.
 */
export const clients = ({ timeoutMs = 15_000, ...where }: StripeOptions) => {
  const known = new Map<string, Stripe>()
  const library = Effect.tryPromise({
    try: () => import("stripe"),
    catch: () =>
      new PaymentsFailed({ message: "Stripe's library is not installed: npm install stripe@23", reason: "refused" })
  })
  return ({ account, key }: ProviderCredentials): Effect.Effect<Stripe, PaymentsFailed> =>
    Effect.map(library, ({ default: Library }) => {
      const name = `${key} ${account ?? ""}`
      const client = known.get(name) ?? new Library(key, {
        ...where,
        ...(account === null ? {} : { stripeAccount: account }),
        timeout: timeoutMs,
        // The caller retries later with the same key. Retries here would only delay a guest.
        maxNetworkRetries: 0,
        telemetry: false,
        appInfo: { name: "trailbook" }
      })
      known.delete(name)
      known.set(name, client)
      for (const oldest of known.keys()) {
        if (known.size <= kept) break
        known.delete(oldest)
      }
      return client
    })
}
