import * as Effect from "effect/Effect"
import { type Job, type RunCounts, sumCounts } from "./Job.ts"
import { releaseClaim } from "./JobLoop.ts"

/**
 * Runs a job until there is nothing left to claim, and returns the total counts. A run that ends in a defect is logged
 * and counted as `failed`. If claiming fails, the call fails.
 */
export const drainJob = <Claim>(job: Job<Claim>): Effect.Effect<RunCounts> => {
  const batch = (claims: ReadonlyArray<Claim>): Effect.Effect<ReadonlyArray<Claim>> =>
    Effect.flatMap(
      claims.length < job.concurrency ? job.claim(job.concurrency - claims.length, claims) : none,
      (nextClaims) => nextClaims.length === 0 ? Effect.succeed(claims) : batch([...claims, ...nextClaims])
    )
  const run = (claim: Claim): Effect.Effect<RunCounts> =>
    job.run(claim, Effect.succeed(false)).pipe(
      Effect.onInterrupt(() => releaseClaim(job, claim)),
      Effect.catchAllDefect((defect) =>
        Effect.logError("Run failed", defect).pipe(Effect.annotateLogs("job", job.name), Effect.as({ failed: 1 }))
      )
    )
  const drainFrom = (before: RunCounts): Effect.Effect<RunCounts> =>
    Effect.flatMap(batch([]), (claims) =>
      claims.length === 0
        ? Effect.succeed(before)
        : Effect.flatMap(
          Effect.forEach(claims, run, { concurrency: "unbounded" }),
          (tallies) => drainFrom(sumCounts([before, ...tallies]))
        ))
  return drainFrom({})
}

const none = Effect.succeed([])
