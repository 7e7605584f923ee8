import { Errands, type Neighbour } from "@trailbook/core/mail/Errands"
import type { ClaimedErrand } from "@trailbook/core/port/Outbox"
import * as Effect from "effect/Effect"
import { type Job, sum } from "../Job.ts"

/**
 * The errands of one neighbour, some at a time. Mails and refunds are two jobs, so
 * a mail server that hangs holds up no money.
 *
 * A claim is up to 16 errands, which are claimed in one commit and written down as
 * done in another. After them there is a rest, so that however many wait, whoever
 * is served by this process pays for no more than a ninth of its time: alone, a
 * caller's request leaves a third of a core unused, and a mail costs as much as a
 * booking does. So 64 mails a second leave at most. When few wait, those of half a
 * second leave together, and what was overtaken meanwhile is never written.
 *
 * @category jobs
 */
export const errands = (
  name: string,
  neighbour: Neighbour
): Effect.Effect<Job<ReadonlyArray<ClaimedErrand>>, never, Errands> =>
  Effect.map(Errands, ({ attempt, claim, release }) => ({
    name,
    concurrency: 4,
    pause: "500 millis",
    rest: "250 millis",
    claim: () => Effect.map(claim(neighbour, together), (errands) => errands.length === 0 ? [] : [errands]),
    run: (errands) => Effect.map(attempt(errands), (ends) => sum(ends.map((end) => ({ [end]: 1 })))),
    release
  }))

const together = 16
