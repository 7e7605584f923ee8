/**
 * The loop of every job. It claims while there is room, with a rest in between
 * where a job wants one, runs what it claimed side by side, and pauses when
 * nothing waits; a run that ends makes room at once, so one that hangs holds up
 * nobody. Where one look sees for many jobs what is due, the pause lasts until it is. What fails is logged and tried again
 * in the next round; nothing ends the rounds but being told to stop.
 *
 * At the stop no more is claimed and the runs under way come to their end. Those
 * that are then cut off give their claims back.
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

/**
 * A job's rounds under way.
 *
 * @category models
 */
export interface JobLoop {
  /** Ends when, after the stop, every run has ended. */
  readonly settled: Effect.Effect<void>
  /** Ends what is still running and gives its claims back. */
  readonly cutOff: Effect.Effect<void>
}

/**
 * Starts a job's rounds, which go on until `stop`.
 *
 * @category constructors
 */
export const runJobLoop = <Claim>(
  job: Job<Claim>,
  stop: Deferred.Deferred<void>,
  looks?: PendingWorkPoller
): Effect.Effect<JobLoop> =>
  Effect.gen(function*() {
    const underWay = new Set<Claim>()
    const runs = yield* Scope.make(ExecutionStrategy.parallel)
    // That a run has ended, however many have since somebody looked.
    const ended = yield* Queue.sliding<void>(1)
    const stopping = Deferred.isDone(stop)

    const begin = (claim: Claim) =>
      Effect.suspend(() => {
        underWay.add(claim)
        return Effect.interruptible(job.run(claim, stopping)).pipe(
          Effect.onInterrupt(() => releaseClaim(job, claim)),
          Effect.catchAllCause((cause) => complaint(job, "A run failed.", cause)),
          Effect.ensuring(Effect.suspend(() => {
            underWay.delete(claim)
            return Queue.offer(ended, undefined)
          })),
          Effect.forkIn(runs)
        )
      })

    /** How many were claimed and begun; `undefined` when claiming failed. What was claimed is never lost sight of. */
    const claim = Effect.uninterruptible(
      // What ended before now is no reason to look again after this.
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
        Effect.catchAllCause((cause) => Effect.as(complaint(job, "Nothing could be claimed.", cause), undefined))
      )
    )

    const resting = (least: Duration.DurationInput) =>
      Effect.gen(function*() {
        const [took] = yield* Effect.timed(waiting(longestRest, untilEither(Queue.take(ended), Deferred.await(stop))))
        const rest = Duration.clamp(Duration.times(took, 8), { minimum: least, maximum: longestRest })
        yield* waiting(rest, Deferred.await(stop))
      })

    // What is seen during the pause is claimed after it.
    const idle = looks === undefined || job.waitsFor === undefined
      ? Effect.sleep(job.pause)
      : Effect.all([Effect.sleep(job.pause), looks.until(job.waitsFor)], { concurrency: "unbounded", discard: true })

    const round = Effect.suspend(() => {
      if (underWay.size >= job.concurrency) return untilEither(Queue.take(ended), Deferred.await(stop))
      return Effect.flatMap(claim, (claimed) => {
        if (claimed === undefined) return waiting(afterFailure(job), Deferred.await(stop))
        if (claimed > 0) return job.rest === undefined ? Effect.yieldNow() : resting(job.rest)
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

/** One that hangs holds up the others no longer. */
const longestRest = Duration.seconds(1)

const untilEither = (one: Effect.Effect<void>, other: Effect.Effect<void>) => Effect.raceFirst(one, other)

const waiting = (pause: Duration.DurationInput, sooner: Effect.Effect<void>) =>
  Effect.asVoid(Effect.timeoutOption(sooner, pause))

/** A database that is away is asked for again once a second, not four times. */
const afterFailure = ({ pause }: { readonly pause: Duration.DurationInput }): Duration.Duration =>
  Duration.max(pause, Duration.seconds(1))

const complaint = ({ name }: { readonly name: string }, said: string, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Effect.annotateLogs(Effect.logError(said, cause), "job", name)

/**
 * Gives a claim back. That it cannot be is no reason not to end: its lease will.
 *
 * @category effects
 */
export const releaseClaim = <Claim>(job: Job<Claim>, claim: Claim): Effect.Effect<void> =>
  Effect.catchAllCause(job.release(claim), (cause) => complaint(job, "A claim could not be given back.", cause))
