import type { DecidedBy } from "../actor/attribution.ts"
import type { Suggestion } from "../automation/Action.ts"
import type { AutonomyLevel } from "../automation/Automation.ts"
import type { HoldReason } from "../automation/autonomyLimits.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * @category models
 */
export const proposalStatuses = ["pending", "done", "failed", "dismissed", "expired", "undone"] as const

/**
 * @category models
 */
export type ProposalStatus = (typeof proposalStatuses)[number]

/**
 * Something that the ops agent would do, or did. It is pending until it has ended:
 * without `runAt` it waits for a person, and with it it runs, from that moment on.
 *
 * @category models
 */
export interface Proposal extends Suggestion {
  readonly id: string
  readonly orgId: string
  readonly status: ProposalStatus
  /** The dial when it was made. */
  readonly dial: Exclude<AutonomyLevel, "off">
  /** Why it waits although it might have run by itself. */
  readonly held: HoldReason
  /** When it may run; null while nobody has decided that it may. */
  readonly runAt: Instant | null
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
  readonly decidedBy: DecidedBy | null
  readonly doneAt: Instant | null
  readonly error: string | null
}

/**
 * A proposal that somebody is running. `fence` is another after every claim.
 *
 * @category models
 */
export interface ClaimedProposal extends Proposal {
  readonly fence: number
}

/**
 * Nobody has decided on it.
 *
 * @category predicates
 */
export const isWaiting = ({ runAt, status }: Proposal): boolean => status === "pending" && runAt === null

/**
 * It is done, and everything it did can be taken back.
 *
 * @category predicates
 */
export const isReversible = ({ actions, status }: Proposal): boolean =>
  status === "done" && actions.length > 0 &&
  actions.every(({ result, reversible, undo }) => reversible === true && undo !== undefined && result?.ok === true)
