import { verifySignature } from "./verifySignature.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Verifies that Trailbook sent this request within the last 5 minutes, and returns its event. Rejects with a
 * `WebhookSignatureError`. Rejects with a `TypeError` if the body has already been parsed or the secret is invalid.
 *
 * The event is available only from this function, so a program cannot accidentally process an unverified event. A
 * caller could ignore a boolean result, or forget to await a function that only throws. Without awaiting this function,
 * the caller has no event to process.
 *
 * @param rawBody The body exactly as received. A body that was parsed and serialized again has different bytes.
 * @param header The value of the `Service-Signature` header.
 * @param secret The endpoint's signing secret, including `whsec_`.
 * @param now The current time in milliseconds, for tests.
 *
 * @example
 * import { verifyWebhook } from "@trailbook/receiver"
 *
 * const handler = async (request: Request): Promise<Response> => {
 *   const event = await verifyWebhook(await request.text(), request.headers.get("Service-Signature"), secret)
 *   await inbox.add(event)
 *   return new Response(null, { status: 204 })
 * }
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | ReadonlyArray<string> | null | undefined,
  secret: string,
  now: Date | number = Date.now()
): Promise<WebhookEvent> => {
  const body = await verifySignature(rawBody, header, secret, now)
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(body))
  return event
}
