/**
 * Tests that signatures match the published vectors, and that three verifiers accept them. The verifiers do not share
 * code with the signer.
 */
import { it } from "@effect/vitest"
import type { EventType } from "@trailbook/core/event"
import * as Instant from "@trailbook/core/time/Instant"
import type { webhookTestEvent } from "@trailbook/core/webhook"
import { verifyWebhook, type WebhookEventType } from "@trailbook/receiver"
import { makeSignatureHeaders } from "@trailbook/webhook/signatureHeaders"
import * as FastCheck from "effect/FastCheck"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { assert, describe, expectTypeOf } from "vitest"
import { delivery } from "./delivery.ts"

const { sent }: {
  readonly sent: ReadonlyArray<{
    readonly name: string
    readonly secret: string
    readonly webhook_id: string
    readonly event_id: number
    readonly sent_at_ms: number
    readonly body: string
    readonly headers: { readonly [name: string]: string }
  }>
} = JSON.parse(readFileSync(join(import.meta.dirname, "../../../docs/reference/webhook-vectors.json"), "utf8"))

const lowerCased = (headers: { readonly [name: string]: string }) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe("the signature headers match the published test vector", () => {
  it.each(sent)("$name", ({ body, event_id, headers, secret, sent_at_ms, webhook_id }) => {
    const actual = makeSignatureHeaders({
      at: Instant.make(sent_at_ms),
      body: Buffer.from(body, "base64").toString("utf8"),
      eventId: event_id,
      secret,
      webhookId: webhook_id
    })
    assert.deepStrictEqual(lowerCased(actual), headers)
  })
})

/** Secrets like those that `Ids.token(44)` generates. */
const secrets = FastCheck.stringMatching(/^[0-9A-Za-z]{44}$/).map((token) => `whsec_${token}`)
// The Standard Webhooks library always uses the system clock.
const now = Instant.make(Date.now())

it("the receiver library, plain HMAC, and Standard Webhooks accept the sender's signature", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(secrets, FastCheck.json(), FastCheck.nat(), async (secret, json, eventId) => {
      const body = JSON.stringify({
        id: eventId,
        type: "x",
        created_at: "2026-11-18T10:26:40.000Z",
        data: JSON.parse(json)
      })
      const headers = makeSignatureHeaders({ ...delivery(""), at: now, body, secret, eventId })

      assert.deepStrictEqual(await verifyWebhook(body, headers["Service-Signature"], secret, now), JSON.parse(body))

      const [time = "", signature] = headers["Service-Signature"].split(",").map((part) =>
        part.slice(part.indexOf("=") + 1)
      )
      assert.strictEqual(createHmac("sha256", secret).update(time).update(".").update(body).digest("hex"), signature)

      assert.deepStrictEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers), "No matching signature")
    })
  ))

it("the event types of @trailbook/receiver include the name of every event", () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<EventType | (typeof webhookTestEvent)["type"]>()
})
