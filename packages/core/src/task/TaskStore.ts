import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { ClaimedTask, Task, TaskKind } from "./Task.ts"

/**
 * A task refers to a booking of its own org. One that refers to none is not
 * stored: that is a defect.
 *
 * @category ports
 */
export class TaskStore extends Context.Tag("@trailbook/core/TaskStore")<
  TaskStore,
  {
    /** Stores tasks whose ids are new. */
    readonly add: (tasks: ReadonlyArray<Task>) => Effect.Effect<void>
    /**
     * Claims up to `limit` tasks of these kinds, of all orgs, that are due and
     * that nobody has claimed, the longest due first. They are nobody else's until
     * the lease ends, which the storage's own clock measures, or they are put back.
     */
    readonly claim: (options: {
      readonly kinds: ReadonlyArray<TaskKind>
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /** Takes tasks away. A claim that was put back, or that somebody else has since, is void and changes nothing, here and below. */
    readonly done: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /** Puts a task back with its new `dueAt`, `attempts` and `lastError`. */
    readonly postpone: (task: ClaimedTask) => Effect.Effect<void>
    /** Puts tasks back as they were, for the next who claims. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
  }
>() {}
