import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"

/** A staff member's role. Owners can also manage staff and control the access of API keys and applications. */
export const staffRoles = ["owner", "staff"] as const

export type StaffRole = (typeof staffRoles)[number]

/** The scopes for each role. The org can grant the `refund` scope to the `staff` role (`Org.staffMayRefund`). */
export const roleScopes: { readonly [R in StaffRole]: ReadonlySet<Scope> } = {
  owner: new Set(["read", "write", "admin", "dashboard", "refund", "staff"]),
  staff: new Set(["read", "write", "dashboard"])
}

/** A person who works for an org. `email` is lowercase and unique within the org. */
export interface StaffMember {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly name: string
  readonly role: StaffRole
  /** Whether the staff member receives an email when a guest writes. */
  readonly notify: boolean
  readonly createdAt: Instant
}

/**
 * The maximum number of staff members per org. There is a limit because each member can get an email for every message.
 */
export const maxStaffMembers = 50

/**
 * Stores the staff for every org. Each staff member references their org. The email address is unique within the org. A
 * write that violates these rules fails as a defect.
 */
export class StaffStore extends Context.Tag("@trailbook/core/StaffStore")<
  StaffStore,
  {
    /**
     * Returns the org's staff, oldest first. An org has few staff members, so callers look up individual members in
     * this list.
     */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /**
     * Returns the staff members with this lowercase address in all orgs, ordered by org. Covers all orgs, because a
     * sign-in request does not name one.
     */
    readonly withEmail: (email: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts or replaces a staff member by key. Leaves no copy of the old row in the database. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    /** Deletes a staff member and leaves no copy in the database. Does nothing if the key does not exist. */
    readonly remove: (key: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}

/** A staff member, as shown to clients. */
export const StaffMemberView = Schema.Struct({
  id: Id,
  email: Schema.String,
  name: Schema.String,
  role: Schema.Literal(...staffRoles),
  notify: Schema.Boolean,
  created_at: Timestamp
})
export type StaffMemberView = typeof StaffMemberView.Type

export const staffMemberView: (value: StaffMember) => StaffMemberView = makeViewMapper(StaffMemberView)

/**
 * Returns a function that looks up a staff member's email address by ID. It returns an empty string for a former staff
 * member.
 */
export const makeGetStaffEmail = (all: ReadonlyArray<StaffMember>): (staffId: string) => string => {
  const emails = new Map(all.map(({ email, id }) => [id, email]))
  return (staffId) => emails.get(staffId) ?? ""
}
