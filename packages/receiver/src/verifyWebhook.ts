import { verifySignature } from "./verifySignature.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Verifies that Trailbook sent this request in the last 5 minutes, and returns its event. Rejects with a
 * `WebhookSignatureError`. Rejects with a `TypeError` if the body is already parsed or the secret is invalid.
 *
 * This function is the only source of the event, so a program cannot process an unverified event by mistake. A caller
 * can ignore a returned boolean, and can forget to await a function that only throws. A caller that forgets to await
 * this function has no event.
 *
 * @param rawBody The body as received. A body that a framework parsed and that was serialized again has other bytes.
 * @param header The value of the `Service-Signature` header.
 * @param secret The secret of the endpoint, including `whsec_`.
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
