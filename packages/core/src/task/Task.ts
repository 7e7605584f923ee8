import type { Instant } from "../time/Instant.ts"

/**
 * Something to do outside the database once a unit of work has committed. An
 * task names its subject and holds no words and no addresses: what it says is
 * made when it runs, so an erasure need not look here.
 *
 * @category models
 */
export interface Task {
  readonly id: string
  readonly orgId: string
  readonly kind: TaskKind
  readonly bookingId: string
  /** Not before this moment; moved into the future after a failure. */
  readonly dueAt: Instant
  readonly attempts: number
  /** What went wrong last, for the outfitter to see; null while nothing did. */
  readonly lastError: string | null
}

/**
 * A task that somebody is running. `fence` is another after every claim.
 *
 * @category models
 */
export interface ClaimedTask extends Task {
  readonly fence: number
}

/**
 * Mails to the guest, one per change, and refunds.
 *
 * @category models
 */
export type TaskKind = "mail.held" | "mail.confirmed" | "mail.moved" | "mail.cancelled" | "refund"
