import { PaymentsFailed, type ProviderCredentials } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import type Stripe from "stripe"

/** The request timeout, and the address of a fake Stripe server for tests. */
export interface StripeOptions {
  readonly host?: string
  readonly port?: number
  readonly protocol?: "http" | "https"
  /** Default: 15 seconds. */
  readonly timeoutMs?: number
}

/** The maximum number of cached clients. Each client keeps its connections open. */
const maxClients = 100

/**
 * Creates a client per account on first use. The first call imports the library, which takes 0.2 seconds and 22 MB.
 * Processes that take no payments never import it.
 */
export const makeClients = ({ timeoutMs = 15_000, ...where }: StripeOptions) => {
  const clientByName = new Map<string, Stripe>()
  const library = Effect.tryPromise({
    try: () => import("stripe"),
    catch: () =>
      new PaymentsFailed({
        message: "The stripe package is not installed. Run: npm install stripe@23",
        reason: "refused"
      })
  })
  return ({ account, key }: ProviderCredentials): Effect.Effect<Stripe, PaymentsFailed> =>
    Effect.map(library, ({ default: Library }) => {
      const name = `${key} ${account ?? ""}`
      const client = clientByName.get(name) ?? new Library(key, {
        ...where,
        ...(account === null ? {} : { stripeAccount: account }),
        timeout: timeoutMs,
        // The caller retries with the same key, so a retry in the library would only delay the guest.
        maxNetworkRetries: 0,
        telemetry: false,
        appInfo: { name: "trailbook" }
      })
      clientByName.delete(name)
      clientByName.set(name, client)
      for (const oldest of clientByName.keys()) {
        if (clientByName.size <= maxClients) break
        clientByName.delete(oldest)
      }
      return client
    })
}
