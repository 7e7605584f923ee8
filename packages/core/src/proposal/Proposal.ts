import type { DecidedBy } from "../actor/attribution.ts"
import type { Suggestion } from "../automation/Action.ts"
import type { AutonomyLevel } from "../automation/Automation.ts"
import type { HoldReason } from "../automation/autonomyLimits.ts"
import type { Instant } from "../time/Instant.ts"

export const proposalStatuses = ["pending", "done", "failed", "dismissed", "expired", "undone"] as const

export type ProposalStatus = (typeof proposalStatuses)[number]

/**
 * A proposed or executed change by the ops agent. While the proposal is pending, `runAt` is the earliest time that it
 * can run. If `runAt` is null, the pending proposal needs approval.
 */
export interface Proposal extends Suggestion {
  readonly id: string
  readonly orgId: string
  readonly status: ProposalStatus
  /** The dial at the time of creation. */
  readonly dial: Exclude<AutonomyLevel, "off">
  /** The reason why the proposal needs approval even though the dial lets the agent act. */
  readonly held: HoldReason
  /** The earliest run time. Null while the proposal needs approval. */
  readonly runAt: Instant | null
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
  readonly decidedBy: DecidedBy | null
  readonly doneAt: Instant | null
  readonly error: string | null
}

/** A proposal that a worker has claimed. Every claim gets a new `fence`. */
export interface ClaimedProposal extends Proposal {
  readonly fence: number
}

/** Returns whether the proposal needs approval. */
export const isWaiting = ({ runAt, status }: Proposal): boolean => status === "pending" && runAt === null

/** Returns whether the proposal is done and all of its actions can be undone. */
export const isReversible = ({ actions, status }: Proposal): boolean =>
  status === "done" && actions.length > 0 &&
  actions.every(({ result, reversible, undo }) => reversible === true && undo !== undefined && result?.ok === true)
