import { type Lane, Tasks } from "@trailbook/core/mail/Tasks"
import type { ClaimedTask } from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import { type Job, sum } from "../Job.ts"

/**
 * The tasks of one lane, some at a time. Mails and refunds are two jobs, so
 * a mail server that hangs holds up no money.
 *
 * A claim is up to 16 tasks, which are claimed in one commit and written down as
 * done in another. After them there is a rest, so that however many wait, whoever
 * is served by this process pays for no more than a ninth of its time: alone, a
 * caller's request leaves a third of a core unused, and a mail costs as much as a
 * booking does. So 64 mails a second leave at most. When few wait, those of half a
 * second leave together, and what was overtaken meanwhile is never written.
 *
 * @category jobs
 */
export const tasks = (
  name: string,
  lane: Lane
): Effect.Effect<Job<ReadonlyArray<ClaimedTask>>, never, Tasks> =>
  Effect.map(Tasks, ({ attempt, claim, release }) => ({
    name,
    concurrency: 4,
    pause: "500 millis",
    rest: "250 millis",
    claim: () => Effect.map(claim(lane, together), (tasks) => tasks.length === 0 ? [] : [tasks]),
    run: (tasks) => Effect.map(attempt(tasks), (ends) => sum(ends.map((end) => ({ [end]: 1 })))),
    release
  }))

const together = 16
