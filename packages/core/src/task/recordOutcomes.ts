import * as Effect from "effect/Effect"
import type { UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import type { Handlers, TaskFailed } from "./Handler.ts"
import { elapsedMinutes, failuresOfADay, retryDelayMinutes } from "./retryPolicy.ts"
import type { ClaimedTask } from "./Task.ts"
import type { TaskStore } from "./TaskStore.ts"

/** An attempt's outcome: done, to be retried, or failed permanently. */
export type TaskOutcome = "done" | "postponed" | "given_up"

/** Records outcomes other than `done`. */
export const makeRecordOutcomes = (
  handlers: Handlers,
  taskStore: TaskStore["Type"],
  unitOfWork: UnitOfWork["Type"]
) => {
  const postpone = (task: ClaimedTask) => Effect.as(taskStore.postpone(task), "postponed" as const)

  const retryLater = (task: ClaimedTask, lastError: string) =>
    Effect.gen(function*() {
      const minutes = retryDelayMinutes(task.attempts)
      const dueAt = Instant.addMinutes(yield* currentTime, minutes)
      const attempts = task.attempts + 1
      const end = yield* postpone({ ...task, attempts, lastError, dueAt })
      const log = attempts === failuresOfADay
        ? Effect.logError("Task has been failing for a day, retrying")
        : Effect.logWarning("Task failed, retrying")
      yield* Effect.annotateLogs(log, { ...labels(task), in_minutes: minutes })
      return end
    })

  const giveUp = (task: ClaimedTask, failure: TaskFailed) =>
    Effect.gen(function*() {
      const givenUpAt = yield* currentTime
      const attempts = task.attempts + 1
      yield* unitOfWork.run(Effect.gen(function*() {
        yield* handlers[task.kind].givenUp(task, failure)
        const isGood = yield* taskStore.giveUp({ ...task, attempts, lastError: failure.message, givenUpAt })
        // Another worker has claimed the task, so the handler's changes are rolled back.
        if (!isGood) yield* Effect.fail(isVoid)
      })).pipe(Effect.catchAll(() => Effect.void))
      yield* Effect.annotateLogs(Effect.logWarning("Task failed permanently"), labels(task))
      return "given_up" as const
    })

  return {
    /** Releases a task with its new due time. */
    postponed: postpone,
    /** Schedules a retry for a failed task, or marks it as failed permanently. */
    failed: (task: ClaimedTask, failure: TaskFailed): Effect.Effect<TaskOutcome> =>
      failure.permanent || elapsedMinutes(task.attempts) >= handlers[task.kind].triedForMinutes
        // A failed write must not block the other tasks in the batch.
        ? Effect.catchAllDefect(giveUp(task, failure), (defect) => retryLater(task, String(defect)))
        : retryLater(task, failure.message)
  }
}

const isVoid = "void"

const labels = ({ id, kind, orgId }: ClaimedTask) => ({ task: id, kind, org_id: orgId })
