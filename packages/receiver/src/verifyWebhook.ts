import { verifySignature } from "./verifySignature.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Verifies that Trailbook has sent this request within the last five minutes, and
 * gives the event that it carries. Fails with a `WebhookSignatureError`, and with a
 * `TypeError` where the body was parsed before or the secret is none.
 *
 * The event comes from here and nowhere else, so that verifying cannot be left out
 * by mistake: a function that answers true or false can be asked without looking at
 * the answer, and one that only throws can be called without `await`. Of this one,
 * too, but then there is no event to work with.
 *
 * @param rawBody The body as it came. Not what a framework parsed and you wrote out again: that has other bytes.
 * @param header The value of the header `Service-Signature`.
 * @param secret The endpoint's secret as it was shown, with `whsec_`.
 * @param now In milliseconds, for tests.
 *
 * @example
 * import { verifyWebhook } from "@trailbook/receiver"
 *
 * const handler = async (request: Request): Promise<Response> => {
 *   const event = await verifyWebhook(await request.text(), request.headers.get("Service-Signature"), secret)
 *   await inbox.add(event)
 *   return new Response(null, { status: 204 })
 * }
 *
 * @category verifying
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
