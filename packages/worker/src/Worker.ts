/**
 * Does what a program does by itself: the jobs that it is handed, side by side.
 * Any number of workers may run over one database, beside servers or inside them.
 *
 * @example
 * import { deliveries, tasks } from "@trailbook/worker"
 * import * as Worker from "@trailbook/worker/Worker"
 * import * as Effect from "effect/Effect"
 *
 * const jobs = Effect.all([deliveries, tasks("mail"), tasks("money")])
 * const program = Worker.layer({ grace: "10 seconds", jobs })
 */
import type { PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { drain } from "./drain.ts"
import type { AnyJob, RunCounts } from "./Job.ts"
import { runJobLoop } from "./JobLoop.ts"
import { makePendingWorkPoller } from "./PendingWorkPoller.ts"

/**
 * @category models
 */
export interface Options<R> {
  /** Made with the services that they work with: `Effect.all([deliveries, tasks("mail")])`. */
  readonly jobs: Effect.Effect<ReadonlyArray<AnyJob>, never, R>
  readonly grace: Duration.DurationInput
  /** Sees at once what is due for all jobs; without it each of them looks for itself. */
  readonly look?: Effect.Effect<PendingWorkSummary, never, R>
}

/**
 * Starts every job. When the scope closes, nothing more is claimed and what is
 * under way may come to its end; a second before `grace` is over it is cut off,
 * and the time left is for giving the claims back.
 *
 * @category constructors
 */
export const start = <R>({ grace, jobs, look }: Options<R>): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const stop = yield* Deferred.make<void>()
    const all = yield* jobs
    const looking = look === undefined
      ? undefined
      : yield* makePendingWorkPoller(Effect.provide(look, yield* Effect.context<R>()), stop)
    const started = yield* Effect.all(all.map((use) => use((job) => runJobLoop(job, stop, looking))))
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stop, undefined).pipe(
        // Finalizers cannot be interrupted, and so could not be timed out.
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.all(started.map(({ settled }) => settled), { concurrency: "unbounded" })),
          beforeTheEnd(grace)
        )),
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.disconnect(
            Effect.all(started.map(({ cutOff }) => cutOff), { concurrency: "unbounded" })
          )),
          lastMoments
        ))
      )
    )
  })

/**
 * A worker for as long as the layer lives.
 *
 * @category layers
 */
export const layer = <R>(options: Options<R>): Layer.Layer<never, never, R> => Layer.scopedDiscard(start(options))

/**
 * Does every job until nothing is due, and says what was done.
 *
 * @category effects
 */
export const runUntilIdle = <R>(
  jobs: Options<R>["jobs"]
): Effect.Effect<Readonly<Record<string, RunCounts>>, never, R> =>
  Effect.gen(function*() {
    const done = (yield* jobs).map((use) => use((job) => Effect.map(drain(job), (tally) => [job.name, tally] as const)))
    return Object.fromEntries(yield* Effect.all(done, { concurrency: "unbounded" }))
  })

/** A database that is away must not keep the process: what was not given back is free when its lease ends. */
const lastMoments = "1 second"

const beforeTheEnd = (grace: Duration.DurationInput): Duration.Duration => {
  const whole = Duration.toMillis(grace)
  return Duration.millis(Math.max(whole - 1000, whole / 2))
}
