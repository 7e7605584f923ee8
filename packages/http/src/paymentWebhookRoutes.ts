/** Endpoints that receive webhook requests from payment providers. The providers sign these requests. */
import { PaymentWebhooks } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { readBytes } from "./request/readBytes.ts"
import * as Reply from "./response/Reply.ts"
import type { AnyRoute, BodyKind, Route } from "./Route.ts"

/** Accepts any content type, because the signature covers the raw bytes. */
const bytes: BodyKind<Uint8Array> = {
  within: (request, use, owners) => Effect.flatMap(readBytes(request, { owners }), use)
}

/** The signature header that each provider sends. */
const signatures: Readonly<Record<string, string>> = { stripe: "stripe-signature" }

/**
 * Creates the route `POST /pay/:provider/:connection`. Returns 200 only once the notice is stored, so that the provider
 * retries after a failure.
 */
export const paymentWebhookRoutes: Effect.Effect<ReadonlyArray<AnyRoute>, never, PaymentWebhooks> = Effect.map(
  PaymentWebhooks,
  ({ receive }) => {
    const notice: Route<"anyone", Uint8Array> = {
      method: "POST",
      path: "/pay/:provider/:connection",
      name: "payments.notice",
      caller: "anyone",
      body: bytes,
      answer: ({ body, param, request }) => {
        const provider = param("provider").slice(0, 40)
        const signature = request.headers.get(signatures[provider] ?? "x-signature")
        const connection = param("connection").toLowerCase().slice(0, 40)
        return Effect.as(receive({ provider, connection, body, signature }), Reply.json(200, { received: true }))
      }
    }
    return [notice]
  }
)
