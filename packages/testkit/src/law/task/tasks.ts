import type { TaskStore } from "@trailbook/core/task"
import { type ClaimedTask, type Task, taskQueues } from "@trailbook/core/task/Task"
import { max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Store from "../Store.ts"

export const hourMs = 3_600_000

/** Claims all pending tasks, in any queue and with any due time. */
export const claimAllTasksFor = (
  leaseMs: number,
  limit = 100_000
): Effect.Effect<ReadonlyArray<ClaimedTask>, never, TaskStore> =>
  Effect.map(
    Effect.forEach(taskQueues, (queue) => Store.tasks.claim({ queue, exceptOrgs: [], now: max, limit, leaseMs })),
    (claims) => claims.flat()
  )

/** Claims all pending tasks for an hour. */
export const claimAllTasks = claimAllTasksFor(hourMs)

/** Returns all unclaimed pending tasks. Claims the tasks and releases them unchanged. */
export const listUnclaimedTasks: Effect.Effect<ReadonlyArray<Task>, never, TaskStore> = Effect.flatMap(
  claimAllTasks,
  (claims) =>
    Effect.as(
      Store.tasks.release(claims),
      claims.map((task) => Struct.omit(task, "fence"))
    )
)
