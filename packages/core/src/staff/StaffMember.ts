import type { Instant } from "../time/Instant.ts"

/**
 * Somebody who works for an org. `email` is unique within the org, in lower case.
 *
 * @category models
 */
export interface StaffMember {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly name: string
  /** Whether they are written to when a guest has written. */
  readonly notify: boolean
  readonly createdAt: Instant
}

/**
 * How many one org may have: each of them may be written to about every message.
 *
 * @category constants
 */
export const maxStaff = 50
