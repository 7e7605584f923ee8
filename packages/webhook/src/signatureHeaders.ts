import type { Delivery } from "@trailbook/core/webhook/WebhookSender"
import { createHmac } from "node:crypto"

/**
 * Creates the headers that authenticate a delivery: `Service-Signature`, whose key is the complete secret, and the
 * three headers of Standard Webhooks, whose key is the decoded part after `whsec_`. So receivers can use a library of
 * that standard.
 *
 * Each header has one signature, because a receiver that parses the parts into a map would keep only one of two.
 */
export const signatureHeaders = (
  { at, body, eventId, secret, webhookId }: Pick<Delivery, "at" | "body" | "eventId" | "secret" | "webhookId">
) => {
  const time = Math.floor(at / 1000)
  // Standard Webhooks separates the signed parts with dots, so an ID must not contain any.
  const id = `${webhookId}-${eventId}`
  const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return {
    "Service-Signature": `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`,
    "Webhook-Id": id,
    "Webhook-Timestamp": String(time),
    "Webhook-Signature": `v1,${createHmac("sha256", decoded).update(`${id}.${time}.${body}`).digest("base64")}`
  }
}
