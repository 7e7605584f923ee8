/** Proposals: changes that wait for staff approval. */
export * from "./AutomationRuns.ts"
export * from "./findNotifiedGuests.ts"
export * from "./Proposal.ts"
export * from "./proposalOperations.ts"
export * from "./Proposals.ts"
