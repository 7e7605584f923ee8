import type { ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import { AutomationRuns } from "@trailbook/core/proposal/AutomationRuns"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Takes the turns of automations that are due: each looks at what there is and makes
 * its proposals. Two at a time: they read much, and nobody waits for them.
 *
 * @category jobs
 */
export const automationRuns: Effect.Effect<AnyJob, never, AutomationRuns> = Effect.map(
  AutomationRuns,
  ({ claim, release, take }) =>
    eraseClaimType<ClaimedAutomation>({
      name: "turns",
      concurrency: 2,
      pause: "5 seconds",
      waitsFor: ({ turns }) => turns,
      claim: (room) => claim(room),
      run: (automation) => Effect.map(take(automation), (proposed) => ({ turns: 1, proposed })),
      release: (automation) => release([automation])
    })
)
