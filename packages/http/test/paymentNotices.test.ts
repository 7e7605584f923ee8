/** Tests the payment webhook endpoint: the requests that it forwards, and its responses. */
import { invalid, notFound, unavailable } from "@trailbook/core"
import { type PaymentWebhookRequest, PaymentWebhooks } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { assert, describe, it, onTestFinished } from "vitest"
import { paymentWebhookRoutes } from "../src/paymentWebhookRoutes.ts"
import { start } from "./Service.ts"

const startService = async (receive: PaymentWebhooks["Type"]["receive"] = () => Effect.void) => {
  const received: Array<PaymentWebhookRequest> = []
  const notices = PaymentWebhooks.of({
    receive: (notice) => {
      received.push(notice)
      return receive(notice)
    }
  })
  const routes = Effect.runSync(Effect.provideService(paymentWebhookRoutes, PaymentWebhooks, notices))
  const service = await start({ routes })
  onTestFinished(service.close)
  const post = async (path: string, body: Uint8Array | string, headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL(path, service.url), {
      method: "POST",
      body: typeof body === "string" ? body : new Uint8Array(body),
      headers
    })
    return { status: answer.status, json: await answer.json() }
  }
  return { post, received }
}

describe("a payment webhook", () => {
  it("is forwarded unchanged with its signature headers", async () => {
    const { post, received } = await startService()
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const signature = { "stripe-signature": "t=1,v1=a", "x-signature": "other" }
    const response = await post("/pay/stripe/0197A1B2", body, { ...signature, "content-type": "application/json" })
    assert.deepEqual(response, { status: 200, json: { received: true } })
    await post("/pay/square/a", "{}", { ...signature, "content-type": "text/plain", authorization: "Bearer nobody" })
    await post("/pay/stripe/a", "")
    assert.deepEqual(received.map((notice) => ({ ...notice, body: [...notice.body] })), [
      { provider: "stripe", connection: "0197a1b2", body: [...body], signature: "t=1,v1=a" },
      { provider: "square", connection: "a", body: [123, 125], signature: "other" },
      { provider: "stripe", connection: "a", body: [], signature: null }
    ])
  })

  it("is refused if it exceeds the size limit", async () => {
    const { post, received } = await startService()
    const { status } = await post("/pay/stripe/a", new Uint8Array(1024 * 1024 + 1))
    assert.strictEqual(status, 413)
    assert.isEmpty(received)
    await post(`/pay/${"p".repeat(200)}/${"c".repeat(200)}`, "{}")
    assert.deepInclude(received[0], { provider: "p".repeat(40), connection: "c".repeat(40) })
  })

  it("is answered with the HTTP status of its refusal", async () => {
    for (
      const [refusal, status] of [
        [notFound("payment connection", "a"), 404],
        [invalid("The signature does not fit."), 400],
        [unavailable("The provider could not be asked.", 30), 503]
      ] as const
    ) {
      const { post } = await startService(() => Effect.fail(refusal))
      const answer = await post("/pay/stripe/a", "{}")
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.json.error.code, refusal.code)
    }
  })
})
