import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { ClaimedTask, Lane, Task } from "./Task.ts"

export type TaskKey = Pick<Task, "orgId" | "id">

/**
 * Stores tasks. A task references its org. A write that violates this rule fails as a defect. A task's subject is not
 * checked and need not exist.
 */
export class TaskStore extends Context.Tag("@trailbook/core/TaskStore")<
  TaskStore,
  {
    /** Stores tasks with new IDs. */
    readonly add: (tasks: ReadonlyArray<Task>) => Effect.Effect<void>
    /**
     * Claims up to `limit` tasks in a lane that are due, unclaimed, and not failed permanently. Claims tasks from all
     * orgs except `exceptOrgs`, longest overdue first. A claim lasts until it is released or its lease expires
     * according to the database clock. Skips unknown kinds, which come from a later version.
     */
    readonly claim: (options: {
      readonly lane: Lane
      readonly exceptOrgs: ReadonlyArray<string>
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /**
     * Deletes tasks that are done. A claim that was released or taken over is void. This and the following functions
     * ignore void claims.
     */
    readonly done: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /** Releases a task with its new `dueAt`, `attempts`, and `lastError`. */
    readonly postpone: (task: ClaimedTask) => Effect.Effect<void>
    /**
     * Stores the new `attempts`, `lastError`, and `givenUpAt`, so that the task is not claimed again. Returns whether
     * the claim was valid.
     */
    readonly giveUp: (task: ClaimedTask) => Effect.Effect<boolean>
    /** Releases tasks without changing anything else about them. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /**
     * Returns up to `limit` tasks that failed permanently or at least `failures` times. Covers one org or all orgs,
     * ordered by org and ID, starting after the key `after`. Claimed tasks are included. Tasks for refunds are included
     * after the first failure, because the money belongs to the guest.
     */
    readonly failing: (options: {
      readonly orgId?: string | undefined
      readonly failures: number
      readonly after?: TaskKey | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Task>>
    /**
     * Restarts failed tasks, even if they failed permanently. The restarted tasks are due at `now`, and their attempts
     * are reset. Returns the restarted tasks. Claimed tasks are skipped.
     */
    readonly retry: (tasks: ReadonlyArray<TaskKey>, now: Instant) => Effect.Effect<ReadonlyArray<TaskKey>>
    /**
     * Deletes up to `limit` tasks that failed permanently before the given time. Returns the number of deleted tasks.
     */
    readonly forget: (before: Instant, limit: number) => Effect.Effect<number>
  }
>() {}
