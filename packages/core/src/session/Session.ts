import type { Instant } from "../time/Instant.ts"

/** A class departure. */
export interface Session {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** The number of seats in this session. Null means the class's capacity. */
  readonly capacity: number | null
  readonly status: SessionStatus
  /** Notes for the staff, such as guides, boats, and vans. */
  readonly notes: string
  readonly createdAt: Instant
  /**
   * Holds that expire at or before this time count as expired, regardless of the clock (`capacity/placeClock.ts`). This
   * field is not part of the API.
   */
  readonly judgedAt: Instant
}

export const sessionStatuses = ["scheduled", "cancelled"] as const

export type SessionStatus = (typeof sessionStatuses)[number]
