import type { ProviderCredentials } from "@trailbook/core/payment/PaymentProvider"
import { PaymentsFailed } from "@trailbook/core/payment/PaymentsFailed"
import * as Effect from "effect/Effect"
import type Stripe from "stripe"

/** Where Stripe is, for tests, and how long it may take over one call. */
export interface StripeOptions {
  readonly host?: string
  readonly port?: number
  readonly protocol?: "http" | "https"
  /** 15 seconds unless said otherwise. */
  readonly timeoutMs?: number
}

/** Of so many accounts the client is kept, with the connections that it holds open. */
const kept = 100

/**
 * A client for each account, made when it is first used. The library is loaded then
 * too: it takes 0.2 seconds and 22 MB, which no process spends that takes no money.
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
        // Who asks tries again, later and under the same key. In here it would only make a guest wait.
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
