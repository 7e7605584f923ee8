import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SubscriptionKey } from "../event/SubscriptionStore.ts"
import type { Lane } from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"

/** The pending work across all orgs. */
export interface PendingWorkSummary {
  /** Whether a webhook has events to deliver. */
  readonly deliveries: boolean
  /** The lanes with due tasks. */
  readonly lanes: ReadonlyArray<Lane>
  /** Whether a proposal from the ops agent can run. */
  readonly proposals: boolean
  /** Whether one of the subscribers has events to process or is not stored yet. */
  readonly subscriptions: boolean
  /** Whether an automation is due. */
  readonly turns: boolean
}

/**
 * Checks several stores for claimable work in one query, so that an idle worker does not poll each store. Claimed work
 * is excluded until its lease expires.
 */
export class PendingWork extends Context.Tag("@trailbook/core/PendingWork")<
  PendingWork,
  {
    /**
     * Returns the work that a claim at `now` would find if it skipped no orgs. The result never misses work, but it can
     * contain work that no longer exists. That is harmless, because the claim then finds nothing.
     */
    readonly look: (options: {
      readonly now: Instant
      /** The subscribers in this process. */
      readonly subscribers: ReadonlyArray<SubscriptionKey>
    }) => Effect.Effect<PendingWorkSummary>
  }
>() {}
