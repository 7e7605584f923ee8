import type { Instant } from "../time/Instant.ts"

/** A departure of a class. */
export interface Session {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** The seats of this session; null uses the capacity of the class. */
  readonly capacity: number | null
  readonly status: SessionStatus
  /** For the staff: guides, boats, and vans. */
  readonly notes: string
  readonly createdAt: Instant
  /**
   * Holds that expire at or before this time are expired, regardless of the clock (`capacity/placeClock.ts`). Not part
   * of the API.
   */
  readonly judgedAt: Instant
}

export const sessionStatuses = ["scheduled", "cancelled"] as const

export type SessionStatus = (typeof sessionStatuses)[number]
