import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StaffMember } from "./StaffMember.ts"

/**
 * Stores the staff for every org. A staff member references the org. The email address is unique within the org. A
 * write that violates these rules fails as a defect.
 */
export class StaffStore extends Context.Tag("@trailbook/core/StaffStore")<
  StaffStore,
  {
    /**
     * Returns the org's staff, oldest first. An org has few staff members, so individual members are looked up in this
     * list.
     */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /**
     * Returns the staff members across all orgs with this lowercase address, ordered by org. The query covers all orgs,
     * because a sign-in does not name an org.
     */
    readonly withEmail: (email: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts or replaces a staff member by key. Leaves no copy of the old row in the database. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    /** Deletes a staff member and leaves no copy in the database. Does nothing if the key does not exist. */
    readonly remove: (key: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}
