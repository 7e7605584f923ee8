/**
 * What the tasks of a kind do.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Task, TaskKind } from "./Task.ts"

/**
 * An attempt failed. `message` is kept with the task for the outfitter to see, so
 * it names no person and no address. When it is `permanent`, trying again would
 * change nothing, and the task is given up at once.
 *
 * @category errors
 */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{
  readonly message: string
  readonly permanent: boolean
}> {}

/**
 * How an attempt that did not fail ended: the task is over, or it is to run again
 * at a later moment, which counts as no failure.
 *
 * @category models
 */
export type TaskResult = "done" | { readonly laterAt: Instant }

/**
 * @category models
 */
export interface HandlerFor<Subject> {
  /**
   * Reads what some tasks are about, in their order, at once: that costs a storage as much as one. `undefined` where it is
   * gone or nothing is left to do: such a task is done.
   */
  readonly read: (tasks: ReadonlyArray<Task>) => Effect.Effect<ReadonlyArray<Subject | undefined>>
  /** Within a minute, and outside of any unit of work. It may run again after it was done. */
  readonly run: (task: Task, subject: Subject) => Effect.Effect<TaskResult, TaskFailed>
  /** For how many minutes a task that fails is tried; `Infinity` when it is never given up. */
  readonly triedForMinutes: number
  /**
   * Hears that a task was given up, in the unit of work in which that is written down. It locks and writes rows that come
   * before tasks in the order of locks.
   */
  readonly givenUp?: (task: Task, failed: TaskFailed) => Effect.Effect<void>
}

/**
 * @category models
 */
export interface Handler {
  readonly triedForMinutes: number
  readonly givenUp: (task: Task, failed: TaskFailed) => Effect.Effect<void>
  /** What running each of some tasks is, in their order. */
  readonly prepare: (tasks: ReadonlyArray<Task>) => Effect.Effect<ReadonlyArray<Effect.Effect<TaskResult, TaskFailed>>>
}

/**
 * One for each kind: a kind without a handler does not compile. Tasks of kinds that
 * share a handler are read together.
 *
 * @category models
 */
export type Handlers = { readonly [Kind in TaskKind]: Handler }

/**
 * @category constructors
 */
export const make = <Subject>(
  { givenUp = () => Effect.void, read, run, triedForMinutes }: HandlerFor<Subject>
): Handler => ({
  triedForMinutes,
  givenUp,
  prepare: (tasks) =>
    Effect.map(read(tasks), (subjects) =>
      tasks.map((task, at) => {
        const subject = subjects[at]
        return subject === undefined ? nothingToDo : run(task, subject)
      }))
})

/**
 * @category constants
 */
export const nothingToDo: Effect.Effect<TaskResult> = Effect.succeed("done")
