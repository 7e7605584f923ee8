import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StaffMember } from "./StaffMember.ts"

/**
 * The staff of every org. A staff member refers to the org, and the email address is unique within it; storing one that
 * breaks this is a defect.
 */
export class StaffStore extends Context.Tag("@trailbook/core/StaffStore")<
  StaffStore,
  {
    /** The staff of the org, oldest first. There are few, so single members are looked up in this list. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /**
     * The staff members of all orgs with this address, in lowercase, ordered by org. A sign-in does not name an org.
     */
    readonly withEmail: (email: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts a staff member, or replaces the one with the same key. Leaves no copy of the old row in the database. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    /** Deletes a staff member, and leaves no copy in the database. Does nothing if the key does not exist. */
    readonly remove: (key: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}
