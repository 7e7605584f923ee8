/**
 * What is done a part at a time, as long as there is any.
 */
import { Bookings } from "@trailbook/core/booking/Bookings"
import { OrphanedFiles } from "@trailbook/core/file/OrphanedFiles"
import { Tasks } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import { type AnyJob, periodicJob } from "../Job.ts"

/**
 * Cancels the holds that ran out a day ago. Two workers that sweep at once
 * cancel each once, for they lock it first.
 *
 * @category jobs
 */
export const sweep: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ sweep }) => periodicJob({ name: "holds", pause: "1 minute", work: sweep(100), kind: "cancelled" })
)

/**
 * Erases the networks of bookings that no longer count against them.
 *
 * @category jobs
 */
export const networks: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ forgetNetworks }) =>
    periodicJob({ name: "networks", pause: "10 minutes", work: forgetNetworks(1000), kind: "removed" })
)

/**
 * Takes away files that were uploaded and that no message has used within a day.
 * Two workers that look at once take each away once.
 *
 * @category jobs
 */
export const unusedFiles: Effect.Effect<AnyJob, never, OrphanedFiles> = Effect.flatMap(
  OrphanedFiles,
  ({ sweep }) => periodicJob({ name: "files", pause: "10 minutes", work: sweep(100), kind: "removed" })
)

/**
 * Takes away what was given up 30 days ago.
 *
 * @category jobs
 */
export const forgetFailedTasks: Effect.Effect<AnyJob, never, Tasks> = Effect.flatMap(
  Tasks,
  ({ forget }) => periodicJob({ name: "forgetting", pause: "1 hour", work: forget(1000), kind: "removed" })
)
