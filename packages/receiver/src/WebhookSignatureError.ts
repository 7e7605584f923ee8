/**
 * The reason why a request was rejected:
 *
 * - `missing`: it has no `Service-Signature` header
 * - `malformed`: the header has no time, several times, no `v1`, or more than 5 of them
 * - `stale`, `future`: it was signed more than 300 seconds before or after now
 * - `mismatch`: no signature matches this body, time, and secret
 */
export type WebhookSignatureReason = "missing" | "malformed" | "stale" | "future" | "mismatch"

/** The request does not come from Trailbook, or its signature is too old. Respond with 400 and do nothing else. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError"
  readonly reason: WebhookSignatureReason

  constructor(reason: WebhookSignatureReason) {
    super(messages[reason])
    this.reason = reason
  }
}

const messages: Readonly<Record<WebhookSignatureReason, string>> = {
  missing: "The request has no Service-Signature header.",
  malformed: "The Service-Signature header is not t=<unix seconds>,v1=<hex>.",
  stale: "The request was signed more than 300 seconds ago.",
  future: "The request was signed more than 300 seconds ahead of this machine's clock.",
  mismatch: "The signature does not match the body."
}
