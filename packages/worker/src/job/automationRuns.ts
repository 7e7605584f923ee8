import type { ClaimedAutomation } from "@trailbook/core/automation"
import { AutomationRuns } from "@trailbook/core/proposal"
import * as Effect from "effect/Effect"
import { type AnyJob, countAgentRun, eraseClaimType } from "../Job.ts"

/**
 * Runs due automations. An automation evaluates rules and creates proposals. At most two run concurrently, because each
 * automation reads a lot of data.
 */
export const automationRuns: Effect.Effect<AnyJob, never, AutomationRuns> = Effect.map(
  AutomationRuns,
  ({ claim, release, take }) =>
    eraseClaimType<ClaimedAutomation>({
      name: "automations",
      concurrency: 2,
      pause: "5 seconds",
      waitsFor: ({ turns }) => turns,
      claim: (limit) => claim(limit),
      run: (automation) =>
        Effect.map(countAgentRun("automation", take(automation)), (proposed) => ({ runs: 1, proposed })),
      release: (automation) => release([automation])
    })
)
