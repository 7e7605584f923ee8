import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StaffMember } from "./StaffMember.ts"

/**
 * A member of the staff refers to their org, and no two of an org have one e-mail
 * address. What breaks this is not stored: that is a defect.
 *
 * @category ports
 */
export class StaffStore extends Context.Tag("@trailbook/core/StaffStore")<
  StaffStore,
  {
    /** The org's people, oldest first. There are few of them, so this is also how one of them is found. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Whoever has this address, in lower case, in any org, in the order of orgs: who signs in says no org. */
    readonly withEmail: (email: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts a person, or replaces the one with their key. No copy of what is replaced is left in the database. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    /** Deletes a person, of whom no copy is left in the database. A key that names nobody changes nothing. */
    readonly remove: (key: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}
