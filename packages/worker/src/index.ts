/**
 * What Trailbook does by itself.
 */
export { drained } from "./drained.ts"
export { type AnyJob, anyJob, type Job, repeated, type Tally } from "./Job.ts"
export { deliveries } from "./job/deliveries.ts"
export { hooks } from "./job/hooks.ts"
export { leftovers } from "./job/leftovers.ts"
export { expiry, proposals } from "./job/proposals.ts"
export { reconciliation } from "./job/reconciliation.ts"
export { forgetting, sweep, unusedFiles } from "./job/sweeps.ts"
export { tasks } from "./job/tasks.ts"
export { turns } from "./job/turns.ts"
export { type Rounds, rounds } from "./rounds.ts"
export * as Worker from "./Worker.ts"
