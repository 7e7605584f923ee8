import * as Data from "effect/Data"

/**
 * A payment provider said no or did not answer.
 *
 * Without a `reason` the same is asked again later. `stale`: it does not take what
 * was asked any more, neither now nor later, so a new payment has to be asked for
 * under a key of its own. `refused`: it will not do this until somebody changes
 * something; it is asked again all the same, and the message is shown. `declined`:
 * the provider processed the request, refused it, and stores this response under the
 * idempotency key. No money moved, and the next attempt needs a new key.
 */
export class PaymentsFailed extends Data.TaggedError("PaymentsFailed")<{
  readonly message: string
  readonly reason?: "stale" | "refused" | "declined"
}> {}
