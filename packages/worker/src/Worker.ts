/**
 * Runs background jobs concurrently. Several workers can share a database, inside servers or as separate processes.
 *
 * @example
 * import { makeTaskJob, webhookDeliveryJob } from "@trailbook/worker"
 * import * as Worker from "@trailbook/worker/Worker"
 * import * as Effect from "effect/Effect"
 *
 * const jobs = Effect.all([webhookDeliveryJob, makeTaskJob("mail"), makeTaskJob("money")])
 * const program = Worker.layer({ grace: "10 seconds", jobs })
 */
import type { PendingWorkSummary } from "@trailbook/core/storage"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { drainJob } from "./drainJob.ts"
import type { AnyJob, RunCounts } from "./Job.ts"
import { startJobLoop } from "./JobLoop.ts"
import { makePendingWorkPoller } from "./PendingWorkPoller.ts"

export interface Options<R> {
  /** The jobs to run, such as `Effect.all([webhookDeliveryJob, makeTaskJob("mail")])`. */
  readonly jobs: Effect.Effect<ReadonlyArray<AnyJob>, never, R>
  readonly grace: Duration.DurationInput
  /** Queries the pending work for all jobs. Without this query, each job polls separately. */
  readonly getPendingWork?: Effect.Effect<PendingWorkSummary, never, R>
}

/**
 * Starts all jobs. When the scope closes, the worker stops claiming work and waits for the current runs. One second
 * before `grace` ends, it interrupts the remaining runs and releases their claims. If `grace` is shorter than two
 * seconds, it interrupts them after half of `grace`.
 */
export const start = <R>(
  { grace, jobs, getPendingWork: look }: Options<R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const stop = yield* Deferred.make<void>()
    const all = yield* jobs
    const poller = look === undefined
      ? undefined
      : yield* makePendingWorkPoller(Effect.provide(look, yield* Effect.context<R>()), stop)
    const loops = yield* Effect.all(all.map((use) => use((job) => startJobLoop(job, stop, poller))))
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stop, undefined).pipe(
        // Finalizers are uninterruptible by default, and a timeout cannot interrupt an uninterruptible effect.
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.all(loops.map(({ settled }) => settled), { concurrency: "unbounded" })),
          beforeTheEnd(grace)
        )),
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.disconnect(
            Effect.all(loops.map(({ cutOff }) => cutOff), { concurrency: "unbounded" })
          )),
          lastMoments
        ))
      )
    )
  })

/** Runs a worker until the layer's scope closes. */
export const layer = <R>(options: Options<R>): Layer.Layer<never, never, R> => Layer.scopedDiscard(start(options))

/** Runs every job until no work is due, and returns the counts for each job. */
export const runUntilIdle = <R>(
  jobs: Options<R>["jobs"]
): Effect.Effect<Readonly<Record<string, RunCounts>>, never, R> =>
  Effect.gen(function*() {
    const drains = (yield* jobs).map((use) =>
      use((job) => Effect.map(drainJob(job), (tally) => [job.name, tally] as const))
    )
    return Object.fromEntries(yield* Effect.all(drains, { concurrency: "unbounded" }))
  })

/**
 * The time reserved for releasing claims. If it were longer, an unavailable database could block shutdown, and
 * unreleased claims expire with their leases anyway.
 */
const lastMoments = "1 second"

const beforeTheEnd = (grace: Duration.DurationInput): Duration.Duration => {
  const whole = Duration.toMillis(grace)
  return Duration.millis(Math.max(whole - 1000, whole / 2))
}
