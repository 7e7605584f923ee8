/**
 * Polls the database once for all idle jobs and wakes the jobs that have work. An idle worker runs four queries per
 * second, regardless of the number of jobs. No job starts later than it would if it polled on its own.
 */
import type { PendingWorkSummary } from "@trailbook/core/storage"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface PendingWorkPoller {
  /** Completes when a poll that started after this call returns a summary that satisfies `isDue`. */
  readonly until: (isDue: (due: PendingWorkSummary) => boolean) => Effect.Effect<void>
}

interface Waiter {
  readonly isDue: (due: PendingWorkSummary) => boolean
  readonly satisfied: Deferred.Deferred<void>
}

/** Polls with `look` until `stop`, and pauses while no job is waiting. */
export const makePendingWorkPoller = (
  look: Effect.Effect<PendingWorkSummary>,
  stop: Deferred.Deferred<void>
): Effect.Effect<PendingWorkPoller> =>
  Effect.gen(function*() {
    const waiters = new Set<Waiter>()

    const wake = (candidates: ReadonlyArray<Waiter>) => (due: PendingWorkSummary) =>
      Effect.forEach(candidates.filter(({ isDue }) => isDue(due)), ({ satisfied }) =>
        Deferred.succeed(satisfied, undefined), {
        discard: true
      })

    const round = Effect.suspend(() => {
      if (waiters.size === 0) {
        return Effect.succeed(pause)
      }
      return Effect.matchCauseEffect(Effect.flatMap(look, wake([...waiters])), {
        onSuccess: () =>
          Effect.succeed(pause),
        // Poll less often while the database is failing.
        onFailure: (cause) =>
          Effect.as(logFailure(cause), afterFailure)
      })
    })

    // With `disconnect`, the fiber stops even if a query hangs, so an unavailable database cannot block shutdown.
    const stopSignal = Deferred.await(stop)
    yield* Effect.forkDaemon(Effect.raceFirst(
      Effect.disconnect(
        Effect.forever(Effect.flatMap(Effect.delay(round, pause), (interval) => Effect.sleep(interval - pause)))
      ),
      stopSignal
    ))

    return {
      until: (isDue) =>
        Effect.flatMap(Deferred.make<void>(), (signal) =>
          Effect.suspend(() => {
            const waiter = { isDue, satisfied: signal }
            waiters.add(waiter)
            return Effect.ensuring(Deferred.await(signal), Effect.sync(() => waiters.delete(waiter)))
          }))
    }
  })

/** Intervals in milliseconds. */
const pause = 250
const afterFailure = 1000

const logFailure = (cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError("Could not poll for pending work", cause)
