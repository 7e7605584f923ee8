import { verifySignature } from "./verifySignature.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Verifies that Trailbook sent this request within the last 5 minutes, and returns its event. Rejects with a
 * `WebhookSignatureError`, or with a `TypeError` if the body was already parsed or the secret is invalid.
 *
 * The event is only available from this function, so that verification cannot be skipped by mistake. The result of a
 * function that returns a boolean can be ignored, and a function that only throws can be called without `await`. This
 * function can be called without `await`, too, but then there is no event.
 *
 * @param rawBody The body as received. A body that a framework parsed and that was serialized again has other bytes.
 * @param header The value of the header `Service-Signature`.
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
