/**
 * Something that is done by itself, over and over: what waits is claimed and
 * each claim is run. Any number of processes may do the same job; a claim is
 * one's own until it is run, given back, or its lease ends.
 */
import type { PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * @category models
 */
export interface Job<Claim> {
  readonly name: string
  /** How many claims run at a time in one process. */
  readonly concurrency: number
  /** How long to wait when nothing was claimed. */
  readonly pause: Duration.DurationInput
  /**
   * What one look at everything has to see before it claims again, once it has found nothing; then the pause is the least
   * that it waits. Left out, or in a worker that has no such look, it claims after each pause.
   */
  readonly waitsFor?: (due: PendingWorkSummary) => boolean
  /**
   * How long to wait at least after a run before the next claim, however much waits: eight times what the run took, but a
   * second at most. So it has a ninth of the time, and leaves the rest to whatever else this process does. Left out, there
   * is none.
   */
  readonly rest?: Duration.DurationInput
  /** Claims up to `room` of what waits, beside what this process has `underWay`. */
  readonly claim: (room: number, underWay: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<Claim>>
  /**
   * Says what was done. It may ask whether the worker is `ending` and then give
   * the rest of its claim back. What it dies of is logged, and the claim keeps its
   * lease, so that what cannot be done is not tried again at once.
   */
  readonly run: (claim: Claim, ending: Effect.Effect<boolean>) => Effect.Effect<RunCounts>
  /** Gives back a claim whose run was cut off. */
  readonly release: (claim: Claim) => Effect.Effect<void>
}

/**
 * A job of any claims: they are known to itself alone. Whoever runs it says what to
 * do with a job whatever its claims are.
 *
 * @category models
 */
export type AnyJob = <A>(use: <Claim>(job: Job<Claim>) => A) => A

/**
 * @category constructors
 */
export const eraseClaimType = <Claim>(job: Job<Claim>): AnyJob => (use) => use(job)

/**
 * How much was done of each kind.
 *
 * @category models
 */
export type RunCounts = Readonly<Record<string, number>>

/**
 * @category combining
 */
export const sum = (tallies: ReadonlyArray<RunCounts>): RunCounts => {
  const total: Record<string, number> = {}
  for (const tally of tallies) {
    for (const [kind, n] of Object.entries(tally)) total[kind] = (total[kind] ?? 0) + n
  }
  return total
}

/**
 * A job without claims: work that any number of processes may do at once, one
 * piece after the other while there is some, and then again after the pause.
 *
 * @category constructors
 */
export const periodicJob = ({ kind, name, pause, work }: {
  readonly name: string
  readonly pause: Duration.DurationInput
  /** Says how much it did. */
  readonly work: Effect.Effect<number>
  /** What it counts. */
  readonly kind: string
}): Effect.Effect<AnyJob> =>
  Effect.sync(() => {
    let wanted = true
    return eraseClaimType<"turn">({
      name,
      concurrency: 1,
      pause,
      claim: () =>
        Effect.sync(() => {
          const claimed = wanted
          // After an empty-handed turn there is one round without a claim, which is the one that pauses.
          wanted = true
          return claimed ? ["turn"] : []
        }),
      run: () => {
        wanted = false
        return Effect.map(work, (done) => {
          wanted = done > 0
          return { [kind]: done }
        })
      },
      release: () => Effect.void
    })
  })
