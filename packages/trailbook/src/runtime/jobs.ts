/**
 * What a booking service does by itself: events to webhooks and to the program
 * itself, tasks of every lane, holds that ran out, large cancellations and erasures
 * that were begun and left, files that no message uses, turns and proposals of the ops
 * agent, what payment providers did not tell, and what was given up long ago.
 */
import type { Bookings } from "@trailbook/core/booking/Bookings"
import type { Subscriber, Subscriptions } from "@trailbook/core/event/Subscriptions"
import type { OrphanedFiles } from "@trailbook/core/file/OrphanedFiles"
import type { JobResumer } from "@trailbook/core/handler/JobResumer"
import type { Reconciliation } from "@trailbook/core/payment/online/Reconciliation"
import type { AutomationRuns } from "@trailbook/core/proposal/AutomationRuns"
import type { Proposals } from "@trailbook/core/proposal/Proposals"
import { PendingWork } from "@trailbook/core/storage/PendingWork"
import { lanes } from "@trailbook/core/task/Task"
import type { Tasks } from "@trailbook/core/task/Tasks"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Deliveries } from "@trailbook/core/webhook/Deliveries"
import type { AnyJob } from "@trailbook/worker/Job"
import { automationRuns } from "@trailbook/worker/job/automationRuns"
import { eventSubscriptions } from "@trailbook/worker/job/eventSubscriptions"
import { forgetFailedTasks, networks, sweep, unusedFiles } from "@trailbook/worker/job/maintenance"
import { paymentReconciliation } from "@trailbook/worker/job/paymentReconciliation"
import { expiry, proposals } from "@trailbook/worker/job/proposals"
import { resumeJobs } from "@trailbook/worker/job/resumeJobs"
import { tasks } from "@trailbook/worker/job/tasks"
import { webhookDeliveries } from "@trailbook/worker/job/webhookDeliveries"
import * as Effect from "effect/Effect"

/** The services that do the work. */
export type WorkServices =
  | Bookings
  | Deliveries
  | PendingWork
  | JobResumer
  | Proposals
  | Reconciliation
  | Subscriptions
  | Tasks
  | AutomationRuns
  | OrphanedFiles

export interface Work {
  /** Who in this program is told of events; asked again every time. Nobody, when it is left out. */
  readonly subscribers?: Effect.Effect<ReadonlyArray<Subscriber>>
}

/** What a worker is started with. */
export const makeWork = ({ subscribers }: Work = {}) => ({
  jobs: jobs(subscribers),
  look: Effect.gen(function*() {
    const { look } = yield* PendingWork
    return yield* look({ now: yield* currentTime, subscribers: yield* subscribers ?? Effect.succeed([]) })
  })
})

const jobs = (subscribers: Work["subscribers"]): Effect.Effect<ReadonlyArray<AnyJob>, never, WorkServices> =>
  Effect.all([
    webhookDeliveries,
    ...lanes.map(tasks),
    sweep,
    networks,
    resumeJobs,
    unusedFiles,
    automationRuns,
    proposals,
    expiry,
    paymentReconciliation,
    forgetFailedTasks,
    ...(subscribers === undefined ? [] : [eventSubscriptions(subscribers)])
  ])
