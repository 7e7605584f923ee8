/**
 * Resumes chunked jobs interrupted by a crash, a database outage, or a caller's timeout. Each chunk records the time,
 * and any worker can claim a job that has made no progress for a while. If two workers claim a job concurrently, each
 * chunk still runs only once.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import { CustomerErasure } from "../customer/erasure/CustomerErasure.ts"
import { type JobRunner, type ResumableJob, ResumableJobStore } from "../job/defineJob.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

export class JobResumer extends Context.Tag("@trailbook/core/JobResumer")<
  JobResumer,
  {
    /** Claims at most `limit` jobs that have made no progress for 15 seconds. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ResumableJob>>
    /** Runs the job until it is finished. Stops between two chunks once `isEnding` returns true. */
    readonly resume: JobRunner<ResumableJob>["resume"]
  }
>() {
  static readonly layer = Layer.effect(JobResumer, Effect.suspend(() => makeJobResumer))
}

const makeJobResumer = Effect.gen(function*() {
  const jobs = { ...(yield* Cancellations).jobs, ...(yield* CustomerErasure).jobs }
  const unfinished = yield* ResumableJobStore
  const { run } = yield* UnitOfWork

  const claimJob = (row: ResumableJob, now: Instant.Instant) =>
    run(Effect.gen(function*() {
      const lockedRow = yield* unfinished.lock(row)
      // Skip the job if it was finished or claimed after it was listed.
      if (Option.isNone(lockedRow) || lockedRow.value.touchedAt !== row.touchedAt) return []
      const claimedRow = { ...lockedRow.value, touchedAt: now }
      yield* unfinished.put(claimedRow)
      return [claimedRow]
    }))

  return JobResumer.of({
    claim: (limit) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        const rows = yield* unfinished.untouchedSince(Instant.make(now - untouchedMs), limit)
        return (yield* Effect.forEach(rows, (row) => claimJob(row, now))).flat()
      }),
    resume: (row, isEnding) => jobs[row.subject].resume(row, isEnding)
  })
})

/** The time without progress after which a job can be claimed. Longer than any chunk takes. */
const untouchedMs = 15_000
