import * as Data from "effect/Data"

/**
 * A payment provider refused a request or did not respond.
 *
 * Without a `reason`, the same request is retried later. The reasons are:
 *
 * - `stale`: The provider will never accept these parameters again, so a new payment must be requested under its own
 *   key.
 * - `refused`: The provider refuses until the outfitter or the operator changes something. The request is retried
 *   anyway, and the message is shown.
 * - `declined`: The provider processed the request, refused it, and stored this response under the idempotency key. No
 *   money moved, and the next attempt needs a new key.
 */
export class PaymentsFailed extends Data.TaggedError("PaymentsFailed")<{
  readonly message: string
  readonly reason?: "stale" | "refused" | "declined"
}> {}
