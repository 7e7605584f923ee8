/**
 * @since 0.1.0
 */
import type { Instant } from "../time/Instant.ts"

/**
 * One departure of a class (§2.4).
 *
 * @since 0.1.0
 * @category models
 */
export interface Session {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** Seats of this session; null means the class's capacity. */
  readonly capacity: number | null
  readonly status: SessionStatus
  readonly createdAt: Instant
  /** Holds of it that ended by then are over, whatever a clock says (`capacity/judged.ts`); the wire does not know it. */
  readonly judgedAt: Instant
}

/**
 * @since 0.1.0
 * @category models
 */
export const sessionStatuses = ["scheduled", "cancelled"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type SessionStatus = (typeof sessionStatuses)[number]
