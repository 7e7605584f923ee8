import type { Unfinished } from "@trailbook/core/port/UnfinishedStore"
import { Leftovers } from "@trailbook/core/unfinished/Leftovers"
import * as Effect from "effect/Effect"
import { type AnyJob, anyJob } from "../Job.ts"

/**
 * Goes on with large cancellations and erasures that were begun and left. One at a
 * time: they are many parts, and others have the database between them.
 *
 * @category jobs
 */
export const leftovers: Effect.Effect<AnyJob, never, Leftovers> = Effect.map(
  Leftovers,
  ({ claim, resume }) =>
    anyJob<Unfinished>({
      name: "unfinished",
      concurrency: 1,
      pause: "5 seconds",
      claim: (room) => claim(room),
      run: (row, ending) => Effect.as(resume(row, ending), { resumed: 1 }),
      // Nobody touches it any more, so it is anybody's soon.
      release: () => Effect.void
    })
)
