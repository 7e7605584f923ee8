import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/**
 * A place in an org's log that is kept under a name: whoever is told of events
 * under that name has dealt with every one up to there.
 *
 * @category models
 */
export interface SubscriptionKey {
  readonly orgId: string
  readonly name: string
}

/**
 * Where a new place is: after the org's newest event, or before its first.
 *
 * @category models
 */
export type StartPosition = "now" | "start"

/**
 * The right of one worker to a place, while a lease lasts. It is void once the
 * worker gave it back or somebody claimed it again: `fence` is then another. One
 * whose lease ended and that nobody took is still good.
 *
 * @category models
 */
export interface SubscriptionClaim extends SubscriptionKey {
  readonly fence: number
  /** Every event up to this one was dealt with, or is not wanted. */
  readonly cursor: number
  /** How often the event that comes next has failed. */
  readonly failures: number
}

/**
 * Places in logs, and who is at each. Any number of workers may claim: a place is
 * nobody else's while a lease lasts. Leases and retries are measured by the
 * storage's own clock, the database's where it has one.
 *
 * Each call is a unit of work by itself, and durable when it returns. A place
 * refers to its org; one of an org that is not there is not stored: that is a
 * defect.
 *
 * @category ports
 */
export class SubscriptionStore extends Context.Tag("@trailbook/core/SubscriptionStore")<
  SubscriptionStore,
  {
    /**
     * Makes the places that are not there yet. One that is `now` is before every
     * event that is committed after this call.
     */
    readonly begin: (
      places: ReadonlyArray<SubscriptionKey & { readonly from: StartPosition }>
    ) => Effect.Effect<void>
    /**
     * Of these places those that nobody has claimed, whose next attempt is due if
     * the last one failed, and whose org has an event after their cursor; and, with
     * `null`, those that are not there yet.
     */
    readonly waiting: (
      places: ReadonlyArray<SubscriptionKey>
    ) => Effect.Effect<ReadonlyArray<SubscriptionKey & { readonly cursor: number | null }>>
    /** Claims a place that nobody has claimed and whose next attempt, if the last one failed, is due. */
    readonly claim: (place: SubscriptionKey, leaseMs: number) => Effect.Effect<Option.Option<SubscriptionClaim>>
    /** Moves the cursor to an event that was dealt with, forgets failures, and renews the lease. False: the claim is void. */
    readonly advance: (claim: SubscriptionClaim, cursor: number, leaseMs: number) => Effect.Effect<boolean>
    /** Counts a failure, and ends the lease; the next attempt is due after `retryMs`. False: the claim is void. */
    readonly postpone: (claim: SubscriptionClaim, retryMs: number) => Effect.Effect<boolean>
    /**
     * Ends the lease. With `passed` nothing up to that event is wanted: the cursor
     * moves there, and failures are forgotten. A void claim changes nothing.
     */
    readonly release: (claim: SubscriptionClaim, passed?: number) => Effect.Effect<void>
  }
>() {}
