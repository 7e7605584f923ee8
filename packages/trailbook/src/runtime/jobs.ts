/**
 * What a booking service does by itself: events to webhooks and to the program
 * itself, tasks of every lane, holds that ran out, large cancellations and erasures
 * that were begun and left, files that no message uses, turns and proposals of the ops
 * agent, what payment providers did not tell, and what was given up long ago.
 */
import type { Bookings } from "@trailbook/core/booking/Bookings"
import type { Reconciliation } from "@trailbook/core/booking/Reconciliation"
import type { Subscriber, Subscriptions } from "@trailbook/core/event/Subscriptions"
import type { UnusedFiles } from "@trailbook/core/file/UnusedFiles"
import type { Proposals } from "@trailbook/core/proposal/Proposals"
import type { Turns } from "@trailbook/core/proposal/Turns"
import { DueWork } from "@trailbook/core/storage/DueWork"
import { lanes } from "@trailbook/core/task/Task"
import type { Tasks } from "@trailbook/core/task/Tasks"
import { moment } from "@trailbook/core/time/moment"
import type { Leftovers } from "@trailbook/core/unfinished/Leftovers"
import type { Deliveries } from "@trailbook/core/webhook/Deliveries"
import type { AnyJob } from "@trailbook/worker/Job"
import { deliveries } from "@trailbook/worker/job/deliveries"
import { hooks } from "@trailbook/worker/job/hooks"
import { leftovers } from "@trailbook/worker/job/leftovers"
import { expiry, proposals } from "@trailbook/worker/job/proposals"
import { reconciliation } from "@trailbook/worker/job/reconciliation"
import { forgetting, networks, sweep, unusedFiles } from "@trailbook/worker/job/sweeps"
import { tasks } from "@trailbook/worker/job/tasks"
import { turns } from "@trailbook/worker/job/turns"
import * as Effect from "effect/Effect"

/**
 * The services that do the work.
 *
 * @category models
 */
export type WorkServices =
  | Bookings
  | Deliveries
  | DueWork
  | Leftovers
  | Proposals
  | Reconciliation
  | Subscriptions
  | Tasks
  | Turns
  | UnusedFiles

/**
 * @category models
 */
export interface Work {
  /** Who in this program is told of events; asked again every time. Nobody, when it is left out. */
  readonly subscribers?: Effect.Effect<ReadonlyArray<Subscriber>>
}

/**
 * What a worker is started with.
 *
 * @category constructors
 */
export const workOf = ({ subscribers }: Work = {}) => ({
  jobs: jobs(subscribers),
  look: Effect.gen(function*() {
    const { look } = yield* DueWork
    return yield* look({ now: yield* moment, subscribers: yield* subscribers ?? Effect.succeed([]) })
  })
})

const jobs = (subscribers: Work["subscribers"]): Effect.Effect<ReadonlyArray<AnyJob>, never, WorkServices> =>
  Effect.all([
    deliveries,
    ...lanes.map(tasks),
    sweep,
    networks,
    leftovers,
    unusedFiles,
    turns,
    proposals,
    expiry,
    reconciliation,
    forgetting,
    ...(subscribers === undefined ? [] : [hooks(subscribers)])
  ])
