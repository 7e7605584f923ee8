/**
 * Runs tasks after a transaction commits. A failed task is retried after 1, 2, 4 … minutes, at most 6 hours
 * apart, without delaying other tasks. A task fails permanently if its failure is marked as permanent, or once it
 * reaches the retry limit for its kind.
 *
 * A worker holds a lease on a task, so no two workers run the same task concurrently. If a task's success cannot be
 * recorded, the task runs again, so every task runs at least once. A resent email keeps its ID.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import {
  failedTaskRetentionDays,
  failuresPerDay,
  getMinutesSinceFirstAttempt,
  getRetryDelayMinutes,
  type Handler,
  type HandlersByKind,
  taskDone,
  TaskFailed,
  type TaskResult
} from "./Handler.ts"
import { type ClaimedTask, type Task, type TaskQueue, taskQueues } from "./Task.ts"

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
     * Claims up to `limit` tasks in a queue that are due, unclaimed, and not failed permanently. Claims tasks from all
     * orgs except `exceptOrgs`, longest overdue first. A claim lasts until it is released or its lease expires
     * according to the database clock. Skips unknown kinds, which come from a later version.
     */
    readonly claim: (options: {
      readonly queue: TaskQueue
      readonly exceptOrgs: ReadonlyArray<string>
      readonly now: Instant.Instant
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
    readonly retry: (tasks: ReadonlyArray<TaskKey>, now: Instant.Instant) => Effect.Effect<ReadonlyArray<TaskKey>>
    /**
     * Deletes up to `limit` tasks that failed permanently before the given time. Returns the number of deleted tasks.
     */
    readonly forget: (before: Instant.Instant, limit: number) => Effect.Effect<number>
  }
>() {}

export class Tasks extends Context.Tag("@trailbook/core/Tasks")<
  Tasks,
  {
    /** Claims up to `limit` due tasks in a queue, for all orgs except `exceptOrgs`. */
    readonly claim: (
      queue: TaskQueue,
      limit: number,
      exceptOrgs?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /**
     * Runs tasks concurrently and returns their outcomes. Calls `onEnd` after each task. Loads subjects in one query,
     * and records successes in batches within a second. On interruption, unfinished tasks stay claimed.
     */
    readonly attempt: (
      tasks: ReadonlyArray<ClaimedTask>,
      onEnd?: (task: ClaimedTask) => void
    ) => Effect.Effect<ReadonlyArray<TaskOutcome>>
    /** Releases tasks, so that the next worker does not have to wait for their leases to expire. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /**
     * Deletes up to `limit` tasks that failed permanently at least 30 days ago. Returns the number of deleted tasks.
     */
    readonly forget: (limit: number) => Effect.Effect<number>
    /** Runs up to `limit` due tasks sequentially and returns how many it ran. */
    readonly run: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = <E, R>(
    makeHandlers: Effect.Effect<HandlersByKind, E, R>
  ): Layer.Layer<Tasks, E, R | TaskStore | UnitOfWork> => Layer.effect(Tasks, makeTasks(makeHandlers))
}

const makeTasks = <E, R>(makeHandlers: Effect.Effect<HandlersByKind, E, R>) =>
  Effect.gen(function*() {
    const handlers = yield* makeHandlers
    const taskStore = yield* TaskStore
    const { failed, postponed } = makeRecordOutcomes(handlers, taskStore, yield* UnitOfWork)

    /** Prepares tasks together or, if that fails, individually. */
    const prepareTasks = (handler: Handler, tasks: ReadonlyArray<ClaimedTask>) =>
      Effect.catchAllDefect(handler.prepare(tasks), () =>
        Effect.succeed(tasks.map((task) => Effect.flatMap(handler.prepare([task]), ([run = taskDone]) => run))))

    const claim = (queue: TaskQueue, limit: number, exceptOrgs: ReadonlyArray<string> = []) =>
      Effect.flatMap(currentTime, (now) =>
        taskStore.claim({ queue, exceptOrgs, now, limit, leaseMs }))

    const attemptOne = (
      task: ClaimedTask,
      run: Effect.Effect<TaskResult, TaskFailed>,
      onDone: (task: ClaimedTask) => void
    ) =>
      // Record the outcome even on interruption. Otherwise, an email that was already sent would be sent again.
      Effect.uninterruptibleMask((restore) =>
        restore(Effect.timeoutFail(run, { duration: attemptMs, onTimeout: () => tooSlow })).pipe(
          // A message that cannot be rendered must not block later tasks.
          Effect.catchAllDefect((defect) => Effect.fail(new TaskFailed({ message: String(defect), permanent: false }))),
          Effect.matchEffect({
            onFailure: (failure) => failed(task, failure),
            onSuccess: (result): Effect.Effect<TaskOutcome> =>
              result === "done"
                ? Effect.sync(() => {
                  onDone(task)
                  return "done"
                })
                : postponed({ ...task, attempts: 0, lastError: null, dueAt: result.laterAt })
          })
        )
      )

    const attempt = (tasks: ReadonlyArray<ClaimedTask>, onEnd: (task: ClaimedTask) => void = () => undefined) =>
      Effect.gen(function*() {
        const runs = new Map<ClaimedTask, Effect.Effect<TaskResult, TaskFailed>>()
        for (const handler of new Set(tasks.map(({ kind }) => handlers[kind]))) {
          const handlerTasks = tasks.filter(({ kind }) => handlers[kind] === handler)
          const runEffects = yield* prepareTasks(handler, handlerTasks)
          handlerTasks.forEach((task, at) => runs.set(task, runEffects[at] ?? taskDone))
        }
        const doneTasks = new Set<ClaimedTask>()
        const attempts = tasks.map((task) =>
          Effect.ensuring(
            attemptOne(task, runs.get(task) ?? taskDone, (one) => void doneTasks.add(one)),
            Effect.sync(() => onEnd(task))
          )
        )
        const recordSuccesses = Effect.uninterruptible(Effect.suspend(() => {
          const batch = [...doneTasks]
          if (batch.length === 0) return Effect.void
          return Effect.map(taskStore.done(batch), () => batch.forEach((one) => doneTasks.delete(one)))
        }))
        // Record successes without waiting for a task that hangs. If the process is killed, every email without a
        // recorded success is sent again. A failed write is retried. The last write runs after all tasks, and its
        // failure is reported.
        const recordPeriodically = Effect.forever(
          Effect.delay(Effect.catchAllDefect(recordSuccesses, () => Effect.void), recordInterval)
        )
        // Run all tasks concurrently, so that a slow one cannot delay another past its lease.
        return yield* Effect.ensuring(
          Effect.raceFirst(Effect.all(attempts, { concurrency: "unbounded" }), recordPeriodically),
          recordSuccesses
        )
      })

    // Claim one task at a time. In a batch, the leases of the last tasks could expire before their turn.
    const attemptNext = Effect.flatMap(
      Effect.reduce(
        taskQueues,
        noTasks,
        (claimedTasks, queue) => claimedTasks.length > 0 ? Effect.succeed(claimedTasks) : claim(queue, 1)
      ),
      (claimedTasks) => Effect.as(attempt(claimedTasks), claimedTasks.length)
    )

    return Tasks.of({
      claim,
      attempt,
      release: taskStore.release,
      forget: (limit) =>
        Effect.flatMap(currentTime, (now) =>
          taskStore.forget(Instant.addMinutes(now, -failedTaskRetentionDays * 24 * 60), limit)),
      run: (limit) =>
        Effect.iterate({ total: 0, lastCount: 1 }, {
          while: ({ lastCount, total }) =>
            lastCount > 0 && total < limit,
          body: ({ total }) =>
            Effect.map(attemptNext, (lastCount) => ({ total: total + lastCount, lastCount }))
        }).pipe(Effect.map(({ total }) => total))
    })
  })

const noTasks: ReadonlyArray<ClaimedTask> = []

/** A task's time limit, which is shorter than its lease. */
const attemptMs = 60_000
const leaseMs = 2 * attemptMs

/** The maximum delay before a success is recorded. */
const recordInterval = "1 second"

const tooSlow = new TaskFailed({
  message: `The task did not finish within ${attemptMs / 1000} seconds.`,
  permanent: false
})

/** An attempt's outcome: done, to be retried, or failed permanently. */
type TaskOutcome = "done" | "postponed" | "given_up"

/** Records outcomes other than `done`. */
const makeRecordOutcomes = (
  handlers: HandlersByKind,
  taskStore: TaskStore["Type"],
  unitOfWork: UnitOfWork["Type"]
) => {
  const postpone = (task: ClaimedTask) => Effect.as(taskStore.postpone(task), "postponed" as const)

  const retryLater = (task: ClaimedTask, lastError: string) =>
    Effect.gen(function*() {
      const minutes = getRetryDelayMinutes(task.attempts)
      const dueAt = Instant.addMinutes(yield* currentTime, minutes)
      const attempts = task.attempts + 1
      const end = yield* postpone({ ...task, attempts, lastError, dueAt })
      const log = attempts === failuresPerDay
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
        yield* handlers[task.kind].onPermanentFailure(task, failure)
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
      failure.permanent || getMinutesSinceFirstAttempt(task.attempts) >= handlers[task.kind].triedForMinutes
        // A failed write must not block the other tasks in the batch.
        ? Effect.catchAllDefect(giveUp(task, failure), (defect) => retryLater(task, String(defect)))
        : retryLater(task, failure.message)
  }
}

const isVoid = "void"

const labels = ({ id, kind, orgId }: ClaimedTask) => ({ task: id, kind, org_id: orgId })
