/** Proposals: changes that wait for staff approval. */
export * from "./AutomationRuns.ts"
export * from "./byUrgency.ts"
export * from "./notifiedGuests.ts"
export * from "./Proposal.ts"
export * from "./proposalOperations.ts"
export * from "./Proposals.ts"
