/**
 * Why a request was rejected:
 * - `missing`: the request has no `Service-Signature` header.
 * - `malformed`: the header must contain exactly one timestamp and one to five `v1` signatures.
 * - `stale`, `future`: the signed timestamp is more than 300 seconds away from the current time.
 * - `mismatch`: no signature matches the body, timestamp, and secret.
 */
export type WebhookSignatureReason = "missing" | "malformed" | "stale" | "future" | "mismatch"

/** The request is not from Trailbook, or its signature has expired. Respond with 400 and ignore the request. */
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
  malformed: "The Service-Signature header must have the form t=<unix seconds>,v1=<hex>.",
  stale: "The request was signed more than 300 seconds ago.",
  future: "The request was signed more than 300 seconds ahead of this machine's clock.",
  mismatch: "The signature does not match the body."
}
