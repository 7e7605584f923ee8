/**
 * The background jobs. They deliver events to webhooks and in-process subscribers, run the tasks of every queue, and
 * expire holds. They resume interrupted bulk cancellations and erasures, delete unused files, and run the ops agent's
 * automations and proposals. They also reconcile payments and clean up abandoned tasks.
 */
import type { AssistantCalls } from "@trailbook/core/assistant"
import type { Bookings } from "@trailbook/core/booking"
import type { Subscriber, Subscriptions } from "@trailbook/core/event"
import type { OrphanedFiles } from "@trailbook/core/file"
import type { JobResumer } from "@trailbook/core/handler"
import type { Reconciliation } from "@trailbook/core/payment"
import type { AutomationRuns, Proposals } from "@trailbook/core/proposal"
import { PendingWork } from "@trailbook/core/storage"
import type { Tasks } from "@trailbook/core/task"
import { taskQueues } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Deliveries } from "@trailbook/core/webhook"
import type { AnyJob } from "@trailbook/worker/Job"
import { automationJob, proposalExecutionJob, proposalExpiryJob } from "@trailbook/worker/job/agent"
import { makeEventSubscriptionJob } from "@trailbook/worker/job/eventSubscriptionJob"
import {
  assistantCallCleanupJob,
  fileCleanupJob,
  holdCleanupJob,
  networkDigestCleanupJob,
  taskCleanupJob
} from "@trailbook/worker/job/maintenance"
import { paymentReconciliationJob } from "@trailbook/worker/job/paymentReconciliationJob"
import { resumptionJob } from "@trailbook/worker/job/resumptionJob"
import { makeTaskJob } from "@trailbook/worker/job/taskJob"
import { webhookDeliveryJob } from "@trailbook/worker/job/webhookDeliveryJob"
import * as Effect from "effect/Effect"

/** The services that the jobs require. */
export type WorkerJobServices =
  | Bookings
  | Deliveries
  | PendingWork
  | JobResumer
  | Proposals
  | Reconciliation
  | Subscriptions
  | Tasks
  | AssistantCalls
  | AutomationRuns
  | OrphanedFiles

export interface WorkerJobOptions {
  /** The in-process event subscribers, which are reread on every pass. Default: none. */
  readonly subscribers?: Effect.Effect<ReadonlyArray<Subscriber>>
  /** The maximum number of emails per second. Single emails and bulk emails have separate limits. Default: 64. */
  readonly mailPerSecond?: number
}

/** Creates a worker's jobs and its check for pending work. */
export const makeWorkerJobs = ({ mailPerSecond, subscribers }: WorkerJobOptions = {}) => ({
  jobs: makeJobs(subscribers, mailPerSecond),
  getPendingWork: Effect.gen(function*() {
    const { getSummary } = yield* PendingWork
    return yield* getSummary({ now: yield* currentTime, subscribers: yield* subscribers ?? Effect.succeed([]) })
  })
})

const makeJobs = (
  subscribers: WorkerJobOptions["subscribers"],
  mailPerSecond: WorkerJobOptions["mailPerSecond"]
): Effect.Effect<ReadonlyArray<AnyJob>, never, WorkerJobServices> =>
  Effect.all([
    webhookDeliveryJob,
    ...taskQueues.map((queue) =>
      makeTaskJob(queue, queue === "mail" || queue === "bulk" ? { perSecond: mailPerSecond } : {})
    ),
    holdCleanupJob,
    networkDigestCleanupJob,
    resumptionJob,
    fileCleanupJob,
    automationJob,
    proposalExecutionJob,
    proposalExpiryJob,
    paymentReconciliationJob,
    taskCleanupJob,
    assistantCallCleanupJob,
    ...(subscribers === undefined ? [] : [makeEventSubscriptionJob(subscribers)])
  ])
