import { JobResumer } from "@trailbook/core/handler/JobResumer"
import type { ResumableJob } from "@trailbook/core/job/ResumableJobStore"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/** Resumes interrupted cancellations and erasures. One job at a time, in chunks, limits the load on the database. */
export const resumeJobs: Effect.Effect<AnyJob, never, JobResumer> = Effect.map(
  JobResumer,
  ({ claim, resume }) =>
    eraseClaimType<ResumableJob>({
      name: "resumable-jobs",
      concurrency: 1,
      pause: "5 seconds",
      claim: (limit) => claim(limit),
      run: (row, ending) => Effect.as(resume(row, ending), { resumed: 1 }),
      // Workers can claim the job again 15 seconds after its last chunk.
      release: () => Effect.void
    })
)
