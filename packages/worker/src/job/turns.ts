import type { ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import { Turns } from "@trailbook/core/proposal/Turns"
import * as Effect from "effect/Effect"
import { type AnyJob, anyJob } from "../Job.ts"

/**
 * Takes the turns of automations that are due: each looks at what there is and makes
 * its proposals. Two at a time: they read much, and nobody waits for them.
 *
 * @category jobs
 */
export const turns: Effect.Effect<AnyJob, never, Turns> = Effect.map(
  Turns,
  ({ claim, release, take }) =>
    anyJob<ClaimedAutomation>({
      name: "turns",
      concurrency: 2,
      pause: "5 seconds",
      waitsFor: ({ turns }) => turns,
      claim: (room) => claim(room),
      run: (automation) => Effect.map(take(automation), (proposed) => ({ turns: 1, proposed })),
      release: (automation) => release([automation])
    })
)
