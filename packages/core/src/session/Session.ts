import type { Instant } from "../time/Instant.ts"

/** One departure of a class. */
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

export const sessionStatuses = ["scheduled", "cancelled"] as const

export type SessionStatus = (typeof sessionStatuses)[number]
