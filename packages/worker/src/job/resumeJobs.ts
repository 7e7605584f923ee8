import { JobResumer } from "@trailbook/core/handler/JobResumer"
import type { ResumableJob } from "@trailbook/core/job/ResumableJobStore"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Goes on with large cancellations and erasures that were begun and left. One at a
 * time: they are many parts, and others have the database between them.
 *
 * @category jobs
 */
export const resumeJobs: Effect.Effect<AnyJob, never, JobResumer> = Effect.map(
  JobResumer,
  ({ claim, resume }) =>
    eraseClaimType<ResumableJob>({
      name: "unfinished",
      concurrency: 1,
      pause: "5 seconds",
      claim: (room) => claim(room),
      run: (row, ending) => Effect.as(resume(row, ending), { resumed: 1 }),
      // Nobody touches it any more, so it is anybody's soon.
      release: () => Effect.void
    })
)
