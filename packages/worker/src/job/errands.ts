/**
 * @since 0.1.0
 */
import { Errands, type Neighbour } from "@trailbook/core/mail/Errands"
import type { ClaimedErrand } from "@trailbook/core/port/Outbox"
import * as Effect from "effect/Effect"
import type { Job } from "../Job.ts"

/**
 * The errands of one neighbour, a few at a time. Mails and refunds are two jobs,
 * so a mail server that hangs holds up no money.
 *
 * @since 0.1.0
 * @category jobs
 */
export const errands = (name: string, neighbour: Neighbour): Effect.Effect<Job<ClaimedErrand>, never, Errands> =>
  Effect.map(Errands, ({ attempt, claim, release }) => ({
    name,
    concurrency: 8,
    pause: "500 millis",
    claim: (room) => claim(neighbour, room),
    run: (errand) => Effect.map(attempt(errand), (end) => ({ [end]: 1 })),
    release: (errand) => release([errand])
  }))
