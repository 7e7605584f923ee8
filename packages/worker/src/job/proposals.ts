import { type ClaimedProposal, Proposals } from "@trailbook/core/proposal"
import * as Effect from "effect/Effect"
import { type AnyJob, countAgentRun, eraseClaimType, periodicJob } from "../Job.ts"

/** Executes proposals that need no approval, and resumes approved proposals that were interrupted. */
export const proposals: Effect.Effect<AnyJob, never, Proposals> = Effect.map(
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

/** Expires proposals that were never decided. */
export const expiry: Effect.Effect<AnyJob, never, Proposals> = Effect.flatMap(
  Proposals,
  ({ expire }) => periodicJob({ name: "proposal-expiry", pause: "1 minute", work: expire(100), kind: "expired" })
)
