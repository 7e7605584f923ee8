import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/** A named cursor in an org's log. Subscribers with that name have processed every event up to the cursor. */
export interface SubscriptionKey {
  readonly orgId: string
  readonly name: string
}

/** The start of a new subscription: after the org's newest event, or before its first event. */
export type StartPosition = "now" | "start"

/**
 * A worker's claim on a subscription, with a lease. A claim becomes void when the worker releases it, or when another
 * worker claims the subscription, which changes `fence`. A claim whose lease has expired stays valid until another
 * worker claims the subscription.
 */
export interface SubscriptionClaim extends SubscriptionKey {
  readonly fence: number
  /** Every event up to this cursor has been processed or filtered out. */
  readonly cursor: number
  /** How many times the delivery of the next event has failed. */
  readonly failures: number
}

/**
 * Stores subscriptions' cursors and claims. Any number of workers can try to claim a subscription, but only one can
 * hold the claim at a time. Leases and retries use the storage's clock, if the storage has one.
 *
 * Each call is a separate transaction that is durable when the call returns. A subscription must reference an existing
 * org. A write that violates this rule fails as a defect.
 */
export class SubscriptionStore extends Context.Tag("@trailbook/core/SubscriptionStore")<
  SubscriptionStore,
  {
    /**
     * Creates missing subscriptions. With `now`, a subscription starts before every event committed after this call.
     */
    readonly begin: (
      places: ReadonlyArray<SubscriptionKey & { readonly from: StartPosition }>
    ) => Effect.Effect<void>
    /**
     * Returns the unclaimed subscriptions whose org has an event after their cursor. After a failure, a subscription is
     * returned only once its next retry is due. Subscriptions that do not exist yet are returned with a null cursor.
     */
    readonly waiting: (
      places: ReadonlyArray<SubscriptionKey>
    ) => Effect.Effect<ReadonlyArray<SubscriptionKey & { readonly cursor: number | null }>>
    /** Claims an unclaimed subscription. After a failure, the claim succeeds only once the next retry is due. */
    readonly claim: (place: SubscriptionKey, leaseMs: number) => Effect.Effect<Option.Option<SubscriptionClaim>>
    /**
     * Moves the cursor to a processed event, resets failures, and renews the lease. Returns false if the claim is void.
     */
    readonly advance: (claim: SubscriptionClaim, cursor: number, leaseMs: number) => Effect.Effect<boolean>
    /**
     * Counts a failure and ends the lease. The next attempt is due after `retryMs`. Returns false if the claim is void.
     */
    readonly postpone: (claim: SubscriptionClaim, retryMs: number) => Effect.Effect<boolean>
    /**
     * Ends the lease. If `passed` is set, all events up to that event were filtered out, so the cursor moves there and
     * the failure count is reset. Void claims are ignored.
     */
    readonly release: (claim: SubscriptionClaim, passed?: number) => Effect.Effect<void>
  }
>() {}
