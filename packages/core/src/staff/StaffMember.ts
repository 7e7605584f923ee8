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
  /** Whether they get a mail when a guest writes. */
  readonly notify: boolean
  readonly createdAt: Instant
}

/**
 * The most people an org may have: each of them may get a mail about every message.
 *
 * @category constants
 */
export const maxStaff = 50
