/**
 * Running tasks: what is done once a unit of work has committed. One that fails
 * is tried again after 1, 2, 4 … minutes, at most 6 hours apart, and delays no
 * other. It ends done, or given up: at once when nothing would change by trying
 * again, else when it has been tried for as long as its kind is.
 *
 * Who runs a task holds a lease on it, so no two workers run it at once. One whose
 * success could not be written down runs again, so it runs at least once; a mail
 * then has the id that it had before.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { type Handler, type Handlers, nothingToDo, TaskFailed, type TaskResult } from "./Handler.ts"
import { makeRecordOutcomes, type TaskOutcome } from "./recordOutcomes.ts"
import { keptForDays } from "./retryPolicy.ts"
import { type ClaimedTask, type Lane, lanes } from "./Task.ts"
import { TaskStore } from "./TaskStore.ts"

/**
 * @category services
 */
export class Tasks extends Context.Tag("@trailbook/core/Tasks")<
  Tasks,
  {
    /** Claims up to `limit` tasks of a lane that are due, of all orgs but some. */
    readonly claim: (
      lane: Lane,
      limit: number,
      exceptOrgs?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /**
     * Runs some tasks at the same time and says of each how it ended; `ended` hears of each when it has. What they are
     * about is read together, and those that were done are written down together, within a second: it costs a storage as
     * much as one. Interrupted, the others stay claimed.
     */
    readonly attempt: (
      tasks: ReadonlyArray<ClaimedTask>,
      ended?: (task: ClaimedTask) => void
    ) => Effect.Effect<ReadonlyArray<TaskOutcome>>
    /** Gives tasks back, so that the next worker need not wait for their leases to end. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /** Takes up to `limit` tasks away that were given up 30 days ago, and says how many there were. */
    readonly forget: (limit: number) => Effect.Effect<number>
    /** Runs up to `limit` tasks that are due, one after the other, and says how many there were. */
    readonly run: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = <E, R>(
    handled: Effect.Effect<Handlers, E, R>
  ): Layer.Layer<Tasks, E, R | TaskStore | UnitOfWork> =>
    Layer.effect(
      Tasks,
      Effect.gen(function*() {
        const handlers = yield* handled
        const taskStore = yield* TaskStore
        const { failed, postponed } = makeRecordOutcomes(handlers, taskStore, yield* UnitOfWork)

        /** What running each task is: they are prepared together, or one by one where one of them cannot be. */
        const prepared = (handler: Handler, tasks: ReadonlyArray<ClaimedTask>) =>
          Effect.catchAllDefect(handler.prepare(tasks), () =>
            Effect.succeed(tasks.map((task) =>
              Effect.flatMap(handler.prepare([task]), ([run = nothingToDo]) => run)
            )))

        const claim = (lane: Lane, limit: number, exceptOrgs: ReadonlyArray<string> = []) =>
          Effect.flatMap(currentTime, (now) => taskStore.claim({ lane, exceptOrgs, now, limit, leaseMs }))

        const attemptOne = (
          task: ClaimedTask,
          running: Effect.Effect<TaskResult, TaskFailed>,
          onDone: (task: ClaimedTask) => void
        ) =>
          // What came of it is written down, whoever wants to end: else a mail that has left would leave again.
          Effect.uninterruptibleMask((restore) =>
            restore(Effect.timeoutFail(running, { duration: attemptMs, onTimeout: () => tooSlow })).pipe(
              // A message that cannot even be written must not keep those behind it from being sent.
              Effect.catchAllDefect((defect) =>
                Effect.fail(new TaskFailed({ message: String(defect), permanent: false }))
              ),
              Effect.matchEffect({
                onFailure: (failure) => failed(task, failure),
                onSuccess: (end): Effect.Effect<TaskOutcome> =>
                  end === "done"
                    ? Effect.sync(() => {
                      onDone(task)
                      return "done"
                    })
                    : postponed({ ...task, attempts: 0, lastError: null, dueAt: end.laterAt })
              })
            )
          )

        const attempt = (tasks: ReadonlyArray<ClaimedTask>, ended: (task: ClaimedTask) => void = () => undefined) =>
          Effect.gen(function*() {
            const runs = new Map<ClaimedTask, Effect.Effect<TaskResult, TaskFailed>>()
            for (const handler of new Set(tasks.map(({ kind }) => handlers[kind]))) {
              const some = tasks.filter(({ kind }) => handlers[kind] === handler)
              const each = yield* prepared(handler, some)
              some.forEach((task, at) => runs.set(task, each[at] ?? nothingToDo))
            }
            const done = new Set<ClaimedTask>()
            const each = tasks.map((task) =>
              Effect.ensuring(
                attemptOne(task, runs.get(task) ?? nothingToDo, (one) => void done.add(one)),
                Effect.sync(() => ended(task))
              )
            )
            const writeDown = Effect.uninterruptible(Effect.suspend(() => {
              const some = [...done]
              if (some.length === 0) return Effect.void
              return Effect.map(taskStore.done(some), () => some.forEach((one) => done.delete(one)))
            }))
            // One that hangs must not be waited for: who is killed meanwhile has sent the others, and they leave again. What
            // cannot be written is tried again, at last when all have ended, and that says so.
            const meanwhile = Effect.forever(
              Effect.delay(Effect.catchAllDefect(writeDown, () => Effect.void), writtenEvery)
            )
            // All at once: one that takes its time keeps no other from ending within its lease.
            return yield* Effect.ensuring(
              Effect.raceFirst(Effect.all(each, { concurrency: "unbounded" }), meanwhile),
              writeDown
            )
          })

        // One at a time: those at the end of a long list would outlive their leases.
        const attemptNext = Effect.flatMap(
          Effect.reduce(
            lanes,
            none,
            (found, lane) => found.length > 0 ? Effect.succeed(found) : claim(lane, 1)
          ),
          (claimed) => Effect.as(attempt(claimed), claimed.length)
        )

        return Tasks.of({
          claim,
          attempt,
          release: taskStore.release,
          forget: (limit) =>
            Effect.flatMap(currentTime, (now) =>
              taskStore.forget(Instant.addMinutes(now, -keptForDays * 24 * 60), limit)),
          run: (limit) =>
            Effect.iterate({ ran: 0, last: 1 }, {
              while: ({ last, ran }) =>
                last > 0 && ran < limit,
              body: ({ ran }) =>
                Effect.map(attemptNext, (last) => ({ ran: ran + last, last }))
            }).pipe(Effect.map(({ ran }) => ran))
        })
      })
    )
}

const none: ReadonlyArray<ClaimedTask> = []

/** How long one task may take; the lease outlasts it. */
const attemptMs = 60_000
const leaseMs = 2 * attemptMs

/** How long one that has ended waits at most for others to be written down with. */
const writtenEvery = "1 second"

const tooSlow = new TaskFailed({ message: `It took longer than ${attemptMs / 1000} seconds.`, permanent: false })
