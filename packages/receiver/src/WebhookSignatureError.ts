/**
 * Why a request is not to be trusted:
 *
 * - `missing`: it has no `Service-Signature`
 * - `malformed`: the header has no time, two, no `v1`, or more of them than anybody sends
 * - `stale`, `future`: it was signed more than 300 seconds before or after now
 * - `mismatch`: nobody who has the secret has signed this body at this time
 *
 * @category models
 */
export type WebhookSignatureReason = "missing" | "malformed" | "stale" | "future" | "mismatch"

/**
 * The request does not come from Trailbook, or not now. Answer it with 400 and do
 * nothing else.
 *
 * @category errors
 */
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
  mismatch: "The signature does not fit the body."
}
