import type { Delivery } from "@trailbook/core/webhook/WebhookSender"
import { createHmac } from "node:crypto"

/**
 * The headers that prove who made a delivery and when: `Service-Signature`,
 * whose key is the whole text of the secret, and beside it the three of Standard
 * Webhooks, whose key is what follows `whsec_`, decoded. So receivers can use
 * the library of that standard that their language has.
 *
 * One signature each: a receiver that makes a map of the parts would keep any of
 * two.
 *
 * @category converting
 */
export const signatureHeaders = (
  { at, body, eventId, secret, webhookId }: Pick<Delivery, "at" | "body" | "eventId" | "secret" | "webhookId">
) => {
  const time = Math.floor(at / 1000)
  // The standard separates the signed parts with dots, so there is none in an id.
  const id = `${webhookId}-${eventId}`
  const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return {
    "Service-Signature": `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`,
    "Webhook-Id": id,
    "Webhook-Timestamp": String(time),
    "Webhook-Signature": `v1,${createHmac("sha256", decoded).update(`${id}.${time}.${body}`).digest("base64")}`
  }
}
