import type { Scope } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * What somebody is in an org: an owner decides who else is in it, and what opens it.
 *
 * @category models
 */
export const roles = ["owner", "staff"] as const

/**
 * @category models
 */
export type Role = (typeof roles)[number]

/**
 * What each role may do.
 *
 * @category constants
 */
export const roleScopes: { readonly [R in Role]: ReadonlySet<Scope> } = {
  owner: new Set(["read", "write", "admin", "dashboard", "staff"]),
  staff: new Set(["read", "write", "dashboard"])
}

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
  readonly role: Role
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
