/** Task handlers by kind, and the schedule of their retries. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Task, TaskKind } from "./Task.ts"

/**
 * The error from a failed attempt. `message` is stored with the task and shown to the outfitter, so it must not contain
 * names or addresses. If `permanent` is set, the task fails permanently without a retry.
 */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{
  readonly message: string
  readonly permanent: boolean
}> {}

/**
 * The result of an attempt that did not fail. The task is done, or it runs again later, which does not count as a
 * failure.
 */
export type TaskResult = "done" | { readonly laterAt: Instant }

export interface HandlerDefinition<Subject> {
  /**
   * Loads the subjects of several tasks in one query, in input order. If a subject no longer exists or needs no more
   * work, the result is undefined and the task is done.
   */
  readonly read: (tasks: ReadonlyArray<Task>) => Effect.Effect<ReadonlyArray<Subject | undefined>>
  /** Runs the task outside any transaction, for at most 1 minute. A task may run again even after it has succeeded. */
  readonly run: (task: Task, subject: Subject) => Effect.Effect<TaskResult, TaskFailed>
  /** How long a failing task is retried, in minutes. With `Infinity`, the task never fails permanently. */
  readonly triedForMinutes: number
  /**
   * Runs in the transaction that records the task's permanent failure. The function may lock and write only rows that
   * precede tasks in the lock order.
   */
  readonly onPermanentFailure?: (task: Task, failed: TaskFailed) => Effect.Effect<void>
}

export interface Handler {
  readonly triedForMinutes: number
  readonly onPermanentFailure: (task: Task, failed: TaskFailed) => Effect.Effect<void>
  /** Prepares one effect per task, in input order. */
  readonly prepare: (tasks: ReadonlyArray<Task>) => Effect.Effect<ReadonlyArray<Effect.Effect<TaskResult, TaskFailed>>>
}

/** The handlers by kind. A missing kind is a type error. Tasks whose kinds share a handler are loaded together. */
export type HandlersByKind = { readonly [Kind in TaskKind]: Handler }

export const make = <Subject>(
  { onPermanentFailure: givenUp = () => Effect.void, read, run, triedForMinutes }: HandlerDefinition<Subject>
): Handler => ({
  triedForMinutes,
  onPermanentFailure: givenUp,
  prepare: (tasks) =>
    Effect.map(read(tasks), (subjects) =>
      tasks.map((task, at) => {
        const subject = subjects[at]
        return subject === undefined ? taskDone : run(task, subject)
      }))
})

export const taskDone: Effect.Effect<TaskResult> = Effect.succeed("done")

/**
 * Returns the delay after a failure, in minutes. `attempts` is the number of earlier failures. The delays are 1, 2, 4 …
 * minutes, up to 6 hours.
 */
export const getRetryDelayMinutes = (attempts: number): number => Math.min(2 ** attempts, 360)

/**
 * Returns the number of minutes between the first attempt and the attempt that follows `attempts` failures. The result
 * is the sum of the delays, so worker downtime does not count.
 */
export const getMinutesSinceFirstAttempt = (attempts: number): number => {
  const doubled = Math.min(attempts, 9)
  return 2 ** doubled - 1 + 360 * (attempts - doubled)
}

/** Mail servers retry for 4 to 5 days (RFC 5321, 4.5.4.1). */
export const mailRetryLimitMinutes = 5 * 24 * 60

/**
 * The number of failures that a task accumulates in about a day. A task with this many failures needs attention, even
 * if it is still being retried.
 */
export const failuresPerDay = 13

/** The number of days that a permanently failed task is kept for a manual retry. */
export const failedTaskRetentionDays = 30
