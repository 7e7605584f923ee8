import { JobResumer } from "@trailbook/core/handler"
import type { ResumableJob } from "@trailbook/core/job"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/** Resumes interrupted cancellations and erasures. Runs one job at a time, in chunks, to limit the database load. */
export const resumptionJob: Effect.Effect<AnyJob, never, JobResumer> = Effect.map(
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
