/**
 * A background job: a loop that claims due work and runs each claim. Several processes can run the same job. A claim
 * belongs to one process until it is run, released, or its lease expires.
 */
import { makeLabels } from "@trailbook/core/port/metrics"
import type { PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

export interface Job<Claim> {
  readonly name: string
  /** Maximum number of claims that run at the same time in one process. */
  readonly concurrency: number
  /** Delay after a claim that returned nothing. */
  readonly pause: Duration.DurationInput
  /**
   * Returns true if the summary contains work for this job. An idle job then waits for the shared poller, and `pause`
   * is the minimum delay. Without this function, or without a poller, the job claims after every pause.
   */
  readonly waitsFor?: (due: PendingWorkSummary) => boolean
  /** Delay in milliseconds after a run of `durationMs`, however much work is pending. Defaults to no delay. */
  readonly rest?: (durationMs: number) => number
  /** Claims at most `room` items. `underWay` lists the claims that this process is running. */
  readonly claim: (room: number, underWay: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<Claim>>
  /**
   * Runs a claim and returns counts of the work done. A long run checks `ending` and releases the remaining work when
   * it is true. A defect is logged and the claim keeps its lease, so a failing item is not retried in a tight loop.
   */
  readonly run: (claim: Claim, ending: Effect.Effect<boolean>) => Effect.Effect<RunCounts>
  /** Releases a claim whose run was interrupted. */
  readonly release: (claim: Claim) => Effect.Effect<void>
}

const agentRuns = Metric.counter("trailbook_agent_runs_total", {
  description: "Runs of the ops agent's automations and proposals.",
  incremental: true
})
const agentRunLabels = makeLabels("operation", "status")

for (const operation of ["automation", "proposal"]) {
  for (const status of ["done", "failed"]) agentRuns.unsafeUpdate(0, agentRunLabels(operation, status))
}

/** Counts a run of the ops agent. */
export const countAgentRun = <A>(operation: "automation" | "proposal", run: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.onExit(
    run,
    (exit) =>
      Effect.sync(() =>
        agentRuns.unsafeUpdate(1, agentRunLabels(operation, exit._tag === "Success" ? "done" : "failed"))
      )
  )

/** A job whose claim type is hidden, so that jobs of different types fit in one list. */
export type AnyJob = <A>(use: <Claim>(job: Job<Claim>) => A) => A

export const eraseClaimType = <Claim>(job: Job<Claim>): AnyJob => (use) => use(job)

/** Work done, by kind: `{ delivered: 12, stopped: 1 }`. */
export type RunCounts = Readonly<Record<string, number>>

export const sum = (tallies: ReadonlyArray<RunCounts>): RunCounts => {
  const total: Record<string, number> = {}
  for (const tally of tallies) {
    for (const [kind, n] of Object.entries(tally)) total[kind] = (total[kind] ?? 0) + n
  }
  return total
}

/**
 * A job without claims. Runs `work` until it returns 0, then waits for `pause`. `work` must be safe to run in several
 * processes at the same time.
 */
export const periodicJob = ({ kind, name, pause, work }: {
  readonly name: string
  readonly pause: Duration.DurationInput
  /** Returns the number of items processed. */
  readonly work: Effect.Effect<number>
  /** The key of that number in `RunCounts`. */
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
          // After a run without work, return an empty claim once: the loop sleeps only after an empty claim.
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
