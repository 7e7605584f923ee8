/**
 * What Trailbook does by itself.
 */
export { drained } from "./drained.ts"
export { type Job, repeated, type Tally } from "./Job.ts"
export { type Rounds, rounds } from "./rounds.ts"
export * as Worker from "./Worker.ts"
