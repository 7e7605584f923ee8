/**
 * What Trailbook does by itself.
 */
export { drain } from "./drain.ts"
export { type AnyJob, eraseClaimType, type Job, periodicJob, type RunCounts } from "./Job.ts"
export { automationRuns } from "./job/automationRuns.ts"
export { eventSubscriptions } from "./job/eventSubscriptions.ts"
export { forgetFailedTasks, sweep, unusedFiles } from "./job/maintenance.ts"
export { paymentReconciliation } from "./job/paymentReconciliation.ts"
export { expiry, proposals } from "./job/proposals.ts"
export { resumeJobs } from "./job/resumeJobs.ts"
export { tasks } from "./job/tasks.ts"
export { webhookDeliveries } from "./job/webhookDeliveries.ts"
export { type JobLoop, runJobLoop } from "./JobLoop.ts"
export * as Worker from "./Worker.ts"
