import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoredEvent } from "../port/EventLog.ts"
import type { DeliveryFault, Webhook } from "./Webhook.ts"

/**
 * A worker's claim on an endpoint, with a lease. The claim becomes void when the worker releases it or when the
 * endpoint is rewound or removed. It also becomes void when another worker claims the endpoint, which changes `fence`.
 * A claim whose lease has expired stays valid until another worker claims the endpoint.
 */
export interface DeliveryClaim {
  readonly webhook: Webhook
  readonly fence: number
  /** All events up to this ID were delivered or filtered out. */
  readonly cursor: number
  /** The ID of the org's newest event when a failure stopped the endpoint, or null if it is not stopped. */
  readonly stoppedAt: number | null
  /** Whether a stopped endpoint is due for a retry, regardless of new events. */
  readonly retryDue: boolean
}

/**
 * The endpoints with pending events, and their claims. Any number of workers can try to claim an endpoint, but only one
 * claim on it is valid at a time. Leases and retries use the database's clock, if it has one, so process clocks can
 * differ.
 *
 * Each call is a separate transaction, which is durable when the call returns.
 */
export class DeliveryQueue extends Context.Tag("@trailbook/core/DeliveryQueue")<
  DeliveryQueue,
  {
    /**
     * Claims the endpoint with the oldest last attempt among those that are active, unclaimed, and have pending events.
     * An endpoint that is not stopped is pending if its org has an event after its cursor. A stopped endpoint is
     * pending if its org has an event after `stoppedAt` or its retry is due. Skips all endpoints of the orgs in
     * `exceptOrgs`. Also skips the stopped endpoints of the orgs in `exceptStoppedOf`, or of all orgs if it is
     * `"every"`, because an endpoint that failed is likely to be slow again.
     */
    readonly claim: (options: {
      readonly leaseMs: number
      readonly exceptOrgs: ReadonlyArray<string>
      readonly exceptStoppedOf: ReadonlyArray<string> | "every"
    }) => Effect.Effect<Option.Option<DeliveryClaim>>
    /**
     * Returns up to `limit` events after `after` that the endpoint subscribes to, oldest first, including recent
     * events. `head` is the ID of the org's newest event in the same snapshot.
     */
    readonly pending: (webhook: Webhook, after: number, limit: number) => Effect.Effect<{
      readonly events: ReadonlyArray<StoredEvent>
      readonly head: number
    }>
    /**
     * Moves the cursor, records a 2xx response, resumes a stopped endpoint, and renews the lease. Returns false if the
     * claim is void.
     */
    readonly recordSuccess: (
      claim: DeliveryClaim,
      cursor: number,
      status: number,
      leaseMs: number
    ) => Effect.Effect<boolean>
    /** Renews the lease. Returns false if the claim is void. */
    readonly renew: (claim: DeliveryClaim, leaseMs: number) => Effect.Effect<boolean>
    /**
     * Records a failure, stops the endpoint at the org's newest event, schedules a retry after `retryMs`, and ends the
     * lease. Returns false if the claim is void.
     */
    readonly recordFailure: (claim: DeliveryClaim, failure: {
      readonly status: number
      readonly fault: DeliveryFault
      readonly retryMs: number
    }) => Effect.Effect<boolean>
    /**
     * Ends the lease. If `passed` is given, all events up to that event were filtered out. The cursor, or `stoppedAt`
     * for a stopped endpoint, then moves to that event. Void claims are ignored.
     */
    readonly release: (claim: DeliveryClaim, passed?: number) => Effect.Effect<void>
  }
>() {}
