/**
 * One question for all jobs that have nothing to do. While any of them waits, somebody looks at
 * everything that could be due, and wakes those that it is due for. So a worker that is idle asks
 * four times a second however many jobs it has, and none of them is later for that.
 */
import type { PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * @category models
 */
export interface PendingWorkPoller {
  /** Ends once a look that began later than this has seen what is waited for. */
  readonly until: (isDue: (due: PendingWorkSummary) => boolean) => Effect.Effect<void>
}

interface Waiter {
  readonly isDue: (due: PendingWorkSummary) => boolean
  readonly seen: Deferred.Deferred<void>
}

/**
 * Looks until `stop`, for whoever waits.
 *
 * @category constructors
 */
export const makePendingWorkPoller = (
  look: Effect.Effect<PendingWorkSummary>,
  stop: Deferred.Deferred<void>
): Effect.Effect<PendingWorkPoller> =>
  Effect.gen(function*() {
    const waiters = new Set<Waiter>()

    const wake = (asked: ReadonlyArray<Waiter>) => (due: PendingWorkSummary) =>
      Effect.forEach(asked.filter(({ isDue }) => isDue(due)), ({ seen }) => Deferred.succeed(seen, undefined), {
        discard: true
      })

    const round = Effect.suspend(() => {
      if (waiters.size === 0) return Effect.succeed(pause)
      return Effect.matchCauseEffect(Effect.flatMap(look, wake([...waiters])), {
        onSuccess: () => Effect.succeed(pause),
        // A database that is away is asked again once a second, not four times.
        onFailure: (cause) => Effect.as(complaint(cause), afterFailure)
      })
    })

    // A look that hangs with its database must not keep the worker from ending.
    const stopped = Deferred.await(stop)
    yield* Effect.forkDaemon(Effect.raceFirst(
      Effect.disconnect(
        Effect.forever(Effect.flatMap(Effect.delay(round, pause), (rest) => Effect.sleep(rest - pause)))
      ),
      stopped
    ))

    return {
      until: (isDue) =>
        Effect.flatMap(Deferred.make<void>(), (seen) =>
          Effect.suspend(() => {
            const waiter = { isDue, seen }
            waiters.add(waiter)
            return Effect.ensuring(Deferred.await(seen), Effect.sync(() => waiters.delete(waiter)))
          }))
    }
  })

/** In milliseconds. */
const pause = 250
const afterFailure = 1000

const complaint = (cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError("Nobody could see what is due.", cause)
