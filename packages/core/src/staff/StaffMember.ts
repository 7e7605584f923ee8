import type { Scope } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"

/** A staff member's role. An owner also manages the staff and the access of API keys and applications. */
export const roles = ["owner", "staff"] as const

export type Role = (typeof roles)[number]

/** The scopes for each role. The org can add the `refund` scope to the `staff` role (`Org.staffMayRefund`). */
export const roleScopes: { readonly [R in Role]: ReadonlySet<Scope> } = {
  owner: new Set(["read", "write", "admin", "dashboard", "refund", "staff"]),
  staff: new Set(["read", "write", "dashboard"])
}

/** A person who works for an org. `email` is lowercase and unique within the org. */
export interface StaffMember {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Whether the staff member receives an email when a guest writes. */
  readonly notify: boolean
  readonly createdAt: Instant
}

/** The maximum number of staff members per org, because each staff member can get an email for every message. */
export const maxStaff = 50
