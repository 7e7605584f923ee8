import type { Delivery } from "@trailbook/core/webhook"
import { createHmac } from "node:crypto"

/**
 * Creates the headers that authenticate a delivery. `Service-Signature` is keyed with the complete secret. The three
 * Standard Webhooks headers are keyed with the decoded part after `whsec_`, so that receivers can use a library for
 * that standard.
 *
 * Each header contains a single signature, because a receiver that parses the header into a map would keep only one
 * signature.
 */
export const makeSignatureHeaders = (
  { at, body, eventId, secret, webhookId }: Pick<Delivery, "at" | "body" | "eventId" | "secret" | "webhookId">
) => {
  const time = Math.floor(at / 1000)
  // Standard Webhooks joins the signed parts with dots, so an ID must not contain a dot.
  const id = `${webhookId}-${eventId}`
  const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return {
    "Service-Signature": `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`,
    "Webhook-Id": id,
    "Webhook-Timestamp": String(time),
    "Webhook-Signature": `v1,${createHmac("sha256", decoded).update(`${id}.${time}.${body}`).digest("base64")}`
  }
}
