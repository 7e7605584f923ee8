import type { Task, TaskKind } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"

/**
 * @category constants
 */
export const taskKinds = [
  "mail.held",
  "mail.confirmed",
  "mail.moved",
  "mail.cancelled",
  "refund"
] as const satisfies ReadonlyArray<TaskKind>

/**
 * @category constants
 */
export const hourMs = 3_600_000

/**
 * Claims everything that is there, whenever it is due.
 *
 * @category storing
 */
export const claimAll = Effect.flatMap(
  TaskStore,
  (taskStore) => taskStore.claim({ kinds: taskKinds, now: max, limit: 100_000, leaseMs: hourMs })
)

/**
 * Every task that nobody has claimed. They are put back as they were.
 *
 * @category reading
 */
export const unclaimed: Effect.Effect<ReadonlyArray<Task>, never, TaskStore> = Effect.flatMap(
  claimAll,
  (claims) =>
    Effect.as(
      Effect.flatMap(TaskStore, ({ release }) => release(claims)),
      claims.map((task) => Struct.omit(task, "fence"))
    )
)
