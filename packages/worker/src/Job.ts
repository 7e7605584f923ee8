/**
 * A background job, which claims due work and runs each claim. Several processes can run the same job. A claim belongs
 * to a single process until that process completes or releases it, or until its lease expires.
 */
import { makeMetricLabeler } from "@trailbook/core/port"
import type { PendingWorkSummary } from "@trailbook/core/storage"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

export interface Job<Claim> {
  readonly name: string
  /** The maximum number of concurrent claims per process. */
  readonly concurrency: number
  /** The delay after the job finds no work to claim. */
  readonly pause: Duration.DurationInput
  /**
   * Whether the summary contains work for this job. An idle job waits for the shared poller, and for at least `pause`.
   * Without this function or the poller, an idle job claims after every pause.
   */
  readonly waitsFor?: (due: PendingWorkSummary) => boolean
  /** The delay after a run of `durationMs`, in milliseconds, even with a backlog. Default: no delay. */
  readonly rest?: (durationMs: number) => number
  /** Claims up to `limit` items. `underWay` contains the claims that this process is currently working on. */
  readonly claim: (limit: number, underWay: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<Claim>>
  /**
   * Runs a claim and returns the counts of completed work. A long run should check `ending` and, once it returns true,
   * release the remaining work. After a defect, the claim keeps its lease, so that a failing item is not retried in a
   * tight loop.
   */
  readonly run: (claim: Claim, ending: Effect.Effect<boolean>) => Effect.Effect<RunCounts>
  /** Releases a claim whose run was interrupted. */
  readonly release: (claim: Claim) => Effect.Effect<void>
}

const agentRuns = Metric.counter("trailbook_agent_runs_total", {
  description: "Ops agent runs by operation and status.",
  incremental: true
})
const agentRunLabels = makeMetricLabeler("operation", "status")

for (const operation of ["automation", "proposal"]) {
  for (const status of ["done", "failed"]) agentRuns.unsafeUpdate(0, agentRunLabels(operation, status))
}

export const countAgentRun = <A>(operation: "automation" | "proposal", run: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.onExit(
    run,
    (exit) =>
      Effect.sync(() =>
        agentRuns.unsafeUpdate(1, agentRunLabels(operation, exit._tag === "Success" ? "done" : "failed"))
      )
  )

/** A job with its claim type hidden, so that one list can contain different jobs. */
export type AnyJob = <A>(use: <Claim>(job: Job<Claim>) => A) => A

export const eraseClaimType = <Claim>(job: Job<Claim>): AnyJob => (use) => use(job)

/** Completed work by kind: `{ delivered: 12, stopped: 1 }`. */
export type RunCounts = Readonly<Record<string, number>>

export const sumCounts = (tallies: ReadonlyArray<RunCounts>): RunCounts => {
  const total: Record<string, number> = {}
  for (const tally of tallies) {
    for (const [kind, n] of Object.entries(tally)) total[kind] = (total[kind] ?? 0) + n
  }
  return total
}

/**
 * Creates a job that needs no claims. It repeats `work` until it returns 0, and then waits for `pause`. Several
 * processes can run `work` concurrently, so it must be safe for concurrent use.
 */
export const makePeriodicJob = ({ kind, name, pause, work }: {
  readonly name: string
  readonly pause: Duration.DurationInput
  /** Returns the number of processed items. */
  readonly work: Effect.Effect<number>
  /** The key in `RunCounts` for the number of processed items. */
  readonly kind: string
}): Effect.Effect<AnyJob> =>
  Effect.sync(() => {
    let hasWork = true
    return eraseClaimType<"turn">({
      name,
      concurrency: 1,
      pause,
      claim: () =>
        Effect.sync(() => {
          const hadWork = hasWork
          // The loop sleeps only after an empty claim, so return an empty claim after a run that found no work.
          hasWork = true
          return hadWork ? ["turn"] : []
        }),
      run: () => {
        hasWork = false
        return Effect.map(work, (count) => {
          hasWork = count > 0
          return { [kind]: count }
        })
      },
      release: () => Effect.void
    })
  })
