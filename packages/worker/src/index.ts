/** Trailbook's background jobs, and the worker that runs them. */
export { drain } from "./drain.ts"
export { type AnyJob, eraseClaimType, type Job, periodicJob, type RunCounts } from "./Job.ts"
export { automationRuns, proposalExpiry as expiry, proposals } from "./job/agent.ts"
export { eventSubscriptions } from "./job/eventSubscriptions.ts"
export {
  fileCleanup as unusedFiles,
  holdCleanup as sweep,
  taskCleanup as forgetFailedTasks
} from "./job/maintenance.ts"
export { paymentReconciliation } from "./job/paymentReconciliation.ts"
export { resumeJobs } from "./job/resumeJobs.ts"
export { tasks } from "./job/tasks.ts"
export { webhookDeliveries } from "./job/webhookDeliveries.ts"
export { type JobLoop, runJobLoop } from "./JobLoop.ts"
export * as Worker from "./Worker.ts"
