/** Jobs that delete expired data. Several workers can run them at the same time. */
import { Bookings } from "@trailbook/core/booking/Bookings"
import { OrphanedFiles } from "@trailbook/core/file/OrphanedFiles"
import { Tasks } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import { type AnyJob, periodicJob } from "../Job.ts"

/** Cancels holds 24 hours after they expire. Locks and rechecks each booking first, so it is canceled only once. */
export const sweep: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ sweep }) => periodicJob({ name: "hold-cleanup", pause: "1 minute", work: sweep(100), kind: "cancelled" })
)

/** Deletes the network digests of bookings when they no longer count toward a limit. */
export const networks: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ forgetNetworks }) =>
    periodicJob({ name: "network-cleanup", pause: "10 minutes", work: forgetNetworks(1000), kind: "removed" })
)

/** Deletes uploaded files that no message has referenced within 24 hours. */
export const unusedFiles: Effect.Effect<AnyJob, never, OrphanedFiles> = Effect.flatMap(
  OrphanedFiles,
  ({ sweep }) => periodicJob({ name: "file-cleanup", pause: "10 minutes", work: sweep(100), kind: "removed" })
)

/** Deletes tasks that failed permanently more than 30 days ago. */
export const forgetFailedTasks: Effect.Effect<AnyJob, never, Tasks> = Effect.flatMap(
  Tasks,
  ({ forget }) => periodicJob({ name: "task-cleanup", pause: "1 hour", work: forget(1000), kind: "removed" })
)
