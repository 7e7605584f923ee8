import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SubscriptionKey } from "../event/SubscriptionStore.ts"
import type { Lane } from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"

/** What waits for a worker, whoever's it is. */
export interface PendingWorkSummary {
  /** An endpoint has something to be delivered to it. */
  readonly deliveries: boolean
  /** Those that have a task. */
  readonly lanes: ReadonlyArray<Lane>
  /** A proposal of the ops agent may run. */
  readonly proposals: boolean
  /** A subscriber that was asked for has something to be told, or is not known yet. */
  readonly subscriptions: boolean
  /** An automation has its turn. */
  readonly turns: boolean
}

/**
 * Sees at once what several stores would let somebody claim, so that a worker that has nothing
 * to do asks one question and not one for each of them. What somebody has claimed does not
 * wait until the lease ends.
 */
export class PendingWork extends Context.Tag("@trailbook/core/PendingWork")<
  PendingWork,
  {
    /**
     * What a claim at `now` would find, passing over no org. It misses nothing; where it sees something that
     * is not there, a claim that finds nothing is the end of that.
     */
    readonly look: (options: {
      readonly now: Instant
      /** The subscribers of this program. */
      readonly subscribers: ReadonlyArray<SubscriptionKey>
    }) => Effect.Effect<PendingWorkSummary>
  }
>() {}
