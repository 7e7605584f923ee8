import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { ClaimedTask, Lane, Task } from "./Task.ts"

/**
 * @category models
 */
export type TaskKey = Pick<Task, "orgId" | "id">

/**
 * A task refers to its org. One that refers to none is not stored: that is a defect.
 * What it is about is not looked at, and may be gone.
 *
 * @category ports
 */
export class TaskStore extends Context.Tag("@trailbook/core/TaskStore")<
  TaskStore,
  {
    /** Stores tasks whose ids are new. */
    readonly add: (tasks: ReadonlyArray<Task>) => Effect.Effect<void>
    /**
     * Claims up to `limit` tasks of this lane, of all orgs but `exceptOrgs`, that are due, were not given up and that
     * nobody has claimed, the longest due first. They are nobody else's until the lease ends, which the storage's own
     * clock measures, or they are put back. Kinds that a later version knows are left to that.
     */
    readonly claim: (options: {
      readonly lane: Lane
      readonly exceptOrgs: ReadonlyArray<string>
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /** Takes tasks away. A claim that was put back, or that somebody else has since, is void and changes nothing, here and below. */
    readonly done: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /** Puts a task back with its new `dueAt`, `attempts` and `lastError`. */
    readonly postpone: (task: ClaimedTask) => Effect.Effect<void>
    /** Puts a task away with its new `attempts`, `lastError` and `givenUpAt`: nobody claims it. Says whether the claim was good. */
    readonly giveUp: (task: ClaimedTask) => Effect.Effect<boolean>
    /** Puts tasks back as they were, for the next who claims. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /**
     * Up to `limit` tasks that were given up or have failed so many times, of one org or of all, by org and id, those after
     * `after`. Whether somebody is at them makes no difference. A refund is the guest's money, so it is listed from its
     * first failure.
     */
    readonly failing: (options: {
      readonly orgId?: string | undefined
      readonly failures: number
      readonly after?: TaskKey | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Task>>
    /**
     * Starts tasks again that have failed, given up or not: they are due at `now` and have all of their attempts before
     * them. Says which; one that somebody has claimed is none of them.
     */
    readonly retry: (tasks: ReadonlyArray<TaskKey>, now: Instant) => Effect.Effect<ReadonlyArray<TaskKey>>
    /** Takes up to `limit` tasks away that were given up before this moment, and says how many. */
    readonly forget: (before: Instant, limit: number) => Effect.Effect<number>
  }
>() {}
