import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoredEvent } from "../port/EventLog.ts"
import type { DeliveryFault, Webhook } from "./Webhook.ts"

/**
 * The right of one worker to deliver to one endpoint, while a lease lasts. It is
 * void once the worker gave it back, the endpoint was rewound or removed, or
 * somebody claimed it again: `fence` is then another. One whose lease ended and
 * that nobody took is still good.
 *
 * @category models
 */
export interface Claim {
  readonly webhook: Webhook
  readonly fence: number
  /** The endpoint has had every event up to this one, or does not want it. */
  readonly cursor: number
  /** The org's newest event when it stopped at a failure; null while it is not stopped. */
  readonly stoppedAt: number | null
  /** It is stopped, and the time for another attempt has come whether or not anything happened. */
  readonly retryDue: boolean
}

/**
 * Which endpoints wait for events, and who delivers to each. Any number of
 * workers may claim: an endpoint is nobody else's while a lease lasts. Leases
 * and retries are measured by the storage's own clock, the database's where it
 * has one, so clocks of processes that differ do no harm.
 *
 * Each call is a unit of work by itself, and durable when it returns.
 *
 * @category ports
 */
export class DeliveryQueue extends Context.Tag("@trailbook/core/DeliveryQueue")<
  DeliveryQueue,
  {
    /**
     * Claims the endpoint whose last attempt lies furthest back, of those that are
     * active, that nobody has claimed, and that wait: one that is not stopped
     * waits while its org has an event after its cursor, and a stopped one when its
     * org has an event after `stoppedAt` or its next attempt is due. Endpoints of
     * `exceptOrgs` are passed over, and so are stopped ones of `exceptStoppedOf`, or
     * of every org: one that has failed is likely to take its time again.
     */
    readonly claim: (options: {
      readonly leaseMs: number
      readonly exceptOrgs: ReadonlyArray<string>
      readonly exceptStoppedOf: ReadonlyArray<string> | "every"
    }) => Effect.Effect<Option.Option<Claim>>
    /**
     * The events after `after` that the endpoint wants, oldest first, at most
     * `limit`, young ones included, and `head`: the org's newest event, both in one
     * snapshot.
     */
    readonly pending: (webhook: Webhook, after: number, limit: number) => Effect.Effect<{
      readonly events: ReadonlyArray<StoredEvent>
      readonly head: number
    }>
    /** Moves the cursor to `cursor`, writes down a 2xx, ends a stop, and renews the lease. False: the claim is void. */
    readonly delivered: (claim: Claim, cursor: number, status: number, leaseMs: number) => Effect.Effect<boolean>
    /** Renews the lease. False: the claim is void. */
    readonly renew: (claim: Claim, leaseMs: number) => Effect.Effect<boolean>
    /**
     * Writes down a failure, stops the endpoint at its org's newest event of now,
     * with another attempt due after `retryMs`, and ends the lease. False: the
     * claim is void.
     */
    readonly failed: (claim: Claim, failure: {
      readonly status: number
      readonly fault: DeliveryFault
      readonly retryMs: number
    }) => Effect.Effect<boolean>
    /**
     * Ends the lease. With `passed` the endpoint wants nothing up to that event:
     * its cursor moves there or, while it is stopped, the event that it is stopped
     * at. A void claim changes nothing.
     */
    readonly release: (claim: Claim, passed?: number) => Effect.Effect<void>
  }
>() {}
