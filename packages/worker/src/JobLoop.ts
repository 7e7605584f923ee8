/**
 * Runs a job in a loop. The loop claims up to the job's concurrency, runs claims concurrently, and sleeps after a claim
 * without work. A finished run frees its slot immediately, so a stuck run does not block the others. The loop logs
 * failures and continues until `stop`.
 *
 * After `stop`, the loop makes no new claims, and the current runs continue. `cutOff` interrupts them and releases
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
  /** Completes when the last run has finished after `stop`. */
  readonly settled: Effect.Effect<void>
  /** Interrupts the current runs and releases their claims. */
  readonly cutOff: Effect.Effect<void>
}

/** Starts the loop of a job. Without a poller, an idle job claims after every pause. */
export const runJobLoop = <Claim>(
  job: Job<Claim>,
  stop: Deferred.Deferred<void>,
  looks?: PendingWorkPoller
): Effect.Effect<JobLoop> =>
  Effect.gen(function*() {
    const underWay = new Set<Claim>()
    const runs = yield* Scope.make(ExecutionStrategy.parallel)
    // A signal and not a counter: several runs that finish between two reads leave one element.
    const ended = yield* Queue.sliding<void>(1)
    const stopping = Deferred.isDone(stop)

    const begin = (claim: Claim) =>
      Effect.suspend(() => {
        underWay.add(claim)
        return Effect.interruptible(job.run(claim, stopping)).pipe(
          Effect.onInterrupt(() => releaseClaim(job, claim)),
          Effect.catchAllCause((cause) => logFailure(job, "Run failed", cause)),
          Effect.ensuring(Effect.suspend(() => {
            underWay.delete(claim)
            return Queue.offer(ended, undefined)
          })),
          Effect.forkIn(runs)
        )
      })

    /**
     * Claims work and starts it. Returns the number of claims, or `undefined` after a failure. The effect is
     * uninterruptible, because an interrupt after the claim would leave leased claims that do not run.
     */
    const claim = Effect.uninterruptible(
      // The next claim already uses the slots of earlier runs, so their signals are dropped.
      Effect.flatMap(
        Queue.takeAll(ended),
        () => job.claim(job.concurrency - underWay.size, [...underWay])
      ).pipe(
        Effect.tap((claims) =>
          Effect.flatMap(
            stopping,
            (stopped) =>
              Effect.forEach(claims, (claim) => stopped ? releaseClaim(job, claim) : begin(claim), { discard: true })
          )
        ),
        Effect.map(({ length }) => length),
        Effect.catchAllCause((cause) => Effect.as(logFailure(job, "Claim failed", cause), undefined))
      )
    )

    const rest = (rest: (durationMs: number) => number) =>
      Effect.gen(function*() {
        const [took] = yield* Effect.timed(waitFor(maxRunWait, untilEither(Queue.take(ended), Deferred.await(stop))))
        yield* waitFor(rest(Duration.toMillis(took)), Deferred.await(stop))
      })

    // Both must complete: the poller can find work during the pause, and the pause limits the rate of claims.
    const idle = looks === undefined || job.waitsFor === undefined
      ? Effect.sleep(job.pause)
      : Effect.all([Effect.sleep(job.pause), looks.until(job.waitsFor)], { concurrency: "unbounded", discard: true })

    const round = Effect.suspend(() => {
      if (underWay.size >= job.concurrency) return untilEither(Queue.take(ended), Deferred.await(stop))
      return Effect.flatMap(claim, (claimed) => {
        if (claimed === undefined) return waitFor(afterFailure(job), Deferred.await(stop))
        if (claimed > 0) return job.rest === undefined ? Effect.yieldNow() : rest(job.rest)
        return Effect.raceFirst(idle, untilEither(Queue.take(ended), Deferred.await(stop)))
      })
    })

    const loop = yield* Effect.forkDaemon(Effect.repeat(round, { until: () => stopping }))
    const allEnded: Effect.Effect<void> = Effect.suspend(() =>
      underWay.size === 0 ? Effect.void : Effect.zipRight(Queue.take(ended), allEnded)
    )
    return {
      settled: Effect.zipRight(Fiber.await(loop), allEnded),
      cutOff: Effect.zipRight(Fiber.interrupt(loop), Scope.close(runs, Exit.void))
    }
  })

/** A stuck run delays the next claim by at most this time. */
const maxRunWait = Duration.seconds(1)

const untilEither = (one: Effect.Effect<void>, other: Effect.Effect<void>) => Effect.raceFirst(one, other)

const waitFor = (pause: Duration.DurationInput, sooner: Effect.Effect<void>) =>
  Effect.asVoid(Effect.timeoutOption(sooner, pause))

/** After a failed claim, the loop claims at most once per second. */
const afterFailure = ({ pause }: { readonly pause: Duration.DurationInput }): Duration.Duration =>
  Duration.max(pause, Duration.seconds(1))

const logFailure = (
  { name }: { readonly name: string },
  message: string,
  cause: Cause.Cause<never>
): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Effect.annotateLogs(Effect.logError(message, cause), "job", name)

/** Releases a claim and logs a failure. The lease expires anyway, and shutdown must not depend on the database. */
export const releaseClaim = <Claim>(job: Job<Claim>, claim: Claim): Effect.Effect<void> =>
  Effect.catchAllCause(job.release(claim), (cause) => logFailure(job, "Releasing a claim failed", cause))
