import type { ClaimedAutomation } from "@trailbook/core/automation"
import { AutomationRuns, type ClaimedProposal, Proposals } from "@trailbook/core/proposal"
import * as Effect from "effect/Effect"
import { type AnyJob, countAgentRun, eraseClaimType, makePeriodicJob } from "../Job.ts"

/**
 * Runs due automations. An automation evaluates rules and creates proposals. At most two run concurrently, because each
 * automation reads a lot of data.
 */
export const automationJob: Effect.Effect<AnyJob, never, AutomationRuns> = Effect.map(
  AutomationRuns,
  ({ claim, release, take }) =>
    eraseClaimType<ClaimedAutomation>({
      name: "automations",
      concurrency: 2,
      pause: "5 seconds",
      waitsFor: ({ automations }) => automations,
      claim: (limit) => claim(limit),
      run: (automation) =>
        Effect.map(countAgentRun("automation", take(automation)), (proposed) => ({ runs: 1, proposed })),
      release: (automation) => release([automation])
    })
)

/** Executes proposals that need no approval, and resumes approved proposals that were interrupted. */
export const proposalExecutionJob: Effect.Effect<AnyJob, never, Proposals> = Effect.map(
  Proposals,
  ({ claim, release, run }) =>
    eraseClaimType<ClaimedProposal>({
      name: "proposals",
      concurrency: 4,
      pause: "1 second",
      waitsFor: ({ proposals }) => proposals,
      claim: (limit) => claim(limit),
      run: (proposal) => Effect.map(countAgentRun("proposal", run(proposal)), (actions) => ({ runs: 1, actions })),
      release: (proposal) => release([proposal])
    })
)

/** Expires proposals that staff never decided on. */
export const proposalExpiryJob: Effect.Effect<AnyJob, never, Proposals> = Effect.flatMap(
  Proposals,
  ({ expire }) => makePeriodicJob({ name: "proposal-expiry", pause: "1 minute", work: expire(100), kind: "expired" })
)
