/** Where payment providers say what happened, by their own signatures. */
import { PaymentWebhooks } from "@trailbook/core/payment/online/PaymentWebhooks"
import * as Effect from "effect/Effect"
import { readBytes } from "./readBytes.ts"
import * as Reply from "./Reply.ts"
import type { AnyRoute, BodyKind, Route } from "./Route.ts"

/** The bytes that arrived, of whatever kind they are said to be: their signature says whether they are anything. */
const bytes: BodyKind<Uint8Array> = { within: (request, use) => Effect.flatMap(readBytes(request), use) }

/** Each provider has a header of its own for what it signs with. */
const signatures: Readonly<Record<string, string>> = { stripe: "stripe-signature" }

/**
 * `POST /pay/:provider/:connection`. 200 when what it tells of is stored; else the
 * provider sends it again.
 */
export const paymentNotices: Effect.Effect<ReadonlyArray<AnyRoute>, never, PaymentWebhooks> = Effect.map(
  PaymentWebhooks,
  ({ receive }) => {
    const notice: Route<"anybody", Uint8Array> = {
      method: "POST",
      path: "/pay/:provider/:connection",
      name: "payments.notice",
      caller: "anybody",
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
