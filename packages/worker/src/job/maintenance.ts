/** Deletes expired data. Several workers can run these jobs concurrently. */
import { AssistantCalls } from "@trailbook/core/assistant"
import { Bookings } from "@trailbook/core/booking"
import { OrphanedFiles } from "@trailbook/core/file"
import { Tasks } from "@trailbook/core/task"
import * as Effect from "effect/Effect"
import { type AnyJob, makePeriodicJob } from "../Job.ts"

/**
 * Cancels holds 24 hours after they expire. Each booking is locked and rechecked, so two workers cannot cancel it
 * twice.
 */
export const holdCleanupJob: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ sweep }) => makePeriodicJob({ name: "hold-cleanup", pause: "1 minute", work: sweep(100), kind: "cancelled" })
)

/** Deletes each booking's network digest once it no longer counts toward a limit. */
export const networkDigestCleanupJob: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ forgetNetworks }) =>
    makePeriodicJob({ name: "network-cleanup", pause: "10 minutes", work: forgetNetworks(1000), kind: "removed" })
)

/** Deletes uploaded files that are not attached to a message within 24 hours. */
export const fileCleanupJob: Effect.Effect<AnyJob, never, OrphanedFiles> = Effect.flatMap(
  OrphanedFiles,
  ({ sweep }) => makePeriodicJob({ name: "file-cleanup", pause: "10 minutes", work: sweep(100), kind: "removed" })
)

/** Deletes records of assistant tool calls after 90 days. */
export const assistantCallCleanupJob: Effect.Effect<AnyJob, never, AssistantCalls> = Effect.flatMap(
  AssistantCalls,
  ({ forget }) => makePeriodicJob({ name: "call-cleanup", pause: "1 hour", work: forget(1000), kind: "removed" })
)

/** Deletes permanently failed tasks after 30 days. */
export const taskCleanupJob: Effect.Effect<AnyJob, never, Tasks> = Effect.flatMap(
  Tasks,
  ({ forget }) => makePeriodicJob({ name: "task-cleanup", pause: "1 hour", work: forget(1000), kind: "removed" })
)
