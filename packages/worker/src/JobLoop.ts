/**
 * Runs a job in a loop: claims up to the job's concurrency, runs the claims concurrently, and sleeps when there is
 * nothing to claim. A finished run frees its slot immediately, so a stuck run does not block the others. The loop logs
 * failures and continues until `stop`.
 *
 * After `stop`, the loop claims no more work but lets the current runs finish. `cutOff` interrupts them and releases
 * their claims.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type { Job } from "./Job.ts"
import type { PendingWorkPoller } from "./PendingWorkPoller.ts"

export interface JobLoop {
  /** After `stop`, completes once the last run has finished. */
  readonly settled: Effect.Effect<void>
  /** Interrupts the current runs and releases their claims. */
  readonly cutOff: Effect.Effect<void>
}

/** Starts a job's loop. Without a poller, an idle job claims after every pause. */
export const startJobLoop = <Claim>(
  job: Job<Claim>,
  stop: Deferred.Deferred<void>,
  poller?: PendingWorkPoller
): Effect.Effect<JobLoop> =>
  Effect.gen(function*() {
    const activeClaims = new Set<Claim>()
    const runScope = yield* Scope.make(ExecutionStrategy.parallel)
    // This queue is a signal, not a counter. If several runs finish between two reads, it contains only one element.
    const runEnded = yield* Queue.sliding<void>(1)
    const stopping = Deferred.isDone(stop)

    const startRun = (claim: Claim) =>
      Effect.suspend(() => {
        activeClaims.add(claim)
        return Effect.interruptible(job.run(claim, stopping)).pipe(
          Effect.onInterrupt(() => releaseClaim(job, claim)),
          Effect.catchAllCause((cause) => logFailure(job, "Run failed", cause)),
          Effect.ensuring(Effect.suspend(() => {
            activeClaims.delete(claim)
            return Queue.offer(runEnded, undefined)
          })),
          Effect.forkIn(runScope)
        )
      })

    /**
     * Claims work and starts running it. Returns the number of claims, or `undefined` if claiming failed.
     * Uninterruptible, because an interrupt after the claim would leave leased claims that are not running.
     */
    const claim = Effect.uninterruptible(
      // The slots of the finished runs are already free, and the claim below uses them.
      Effect.flatMap(
        Queue.takeAll(runEnded),
        () => job.claim(job.concurrency - activeClaims.size, [...activeClaims])
      ).pipe(
        Effect.tap((claims) =>
          Effect.flatMap(
            stopping,
            (isStopping) =>
              Effect.forEach(claims, (claim) => isStopping ? releaseClaim(job, claim) : startRun(claim), {
                discard: true
              })
          )
        ),
        Effect.map(({ length }) => length),
        Effect.catchAllCause((cause) => Effect.as(logFailure(job, "Claim failed", cause), undefined))
      )
    )

    const restAfterClaim = (pauseAfter: (durationMs: number) => number) =>
      Effect.gen(function*() {
        const [elapsed] = yield* Effect.timed(
          waitFor(maxRunWait, waitForEither(Queue.take(runEnded), Deferred.await(stop)))
        )
        yield* waitFor(pauseAfter(Duration.toMillis(elapsed)), Deferred.await(stop))
      })

    // Wait for both the pause and the poller. The poller may find work during the pause, but the pause limits the claim
    // rate.
    const waitWhileIdle = poller === undefined || job.waitsFor === undefined
      ? Effect.sleep(job.pause)
      : Effect.all([Effect.sleep(job.pause), poller.until(job.waitsFor)], { concurrency: "unbounded", discard: true })

    const runRound = Effect.suspend(() => {
      if (activeClaims.size >= job.concurrency) return waitForEither(Queue.take(runEnded), Deferred.await(stop))
      return Effect.flatMap(claim, (count) => {
        if (count === undefined) return waitFor(failurePause(job), Deferred.await(stop))
        if (count > 0) return job.rest === undefined ? Effect.yieldNow() : restAfterClaim(job.rest)
        return Effect.raceFirst(waitWhileIdle, waitForEither(Queue.take(runEnded), Deferred.await(stop)))
      })
    })

    const loop = yield* Effect.forkDaemon(Effect.repeat(runRound, { until: () => stopping }))
    const awaitRuns: Effect.Effect<void> = Effect.suspend(() =>
      activeClaims.size === 0 ? Effect.void : Effect.zipRight(Queue.take(runEnded), awaitRuns)
    )
    return {
      settled: Effect.zipRight(Fiber.await(loop), awaitRuns),
      cutOff: Effect.zipRight(Fiber.interrupt(loop), Scope.close(runScope, Exit.void))
    }
  })

/** The longest that a stuck run can delay the next claim. */
const maxRunWait = Duration.seconds(1)

const waitForEither = (first: Effect.Effect<void>, second: Effect.Effect<void>) => Effect.raceFirst(first, second)

const waitFor = (pause: Duration.DurationInput, wakeUp: Effect.Effect<void>) =>
  Effect.asVoid(Effect.timeoutOption(wakeUp, pause))

/** Returns the delay after a failed claim, which is at least one second. */
const failurePause = ({ pause }: { readonly pause: Duration.DurationInput }): Duration.Duration =>
  Duration.max(pause, Duration.seconds(1))

const logFailure = (
  { name }: { readonly name: string },
  message: string,
  cause: Cause.Cause<never>
): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Effect.annotateLogs(Effect.logError(message, cause), "job", name)

/**
 * Releases a claim, and logs a failure instead of raising it. The lease expires anyway, and shutdown must not depend on
 * the database.
 */
export const releaseClaim = <Claim>(job: Job<Claim>, claim: Claim): Effect.Effect<void> =>
  Effect.catchAllCause(job.release(claim), (cause) => logFailure(job, "Releasing a claim failed", cause))
