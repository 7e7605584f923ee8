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
    /** The org's people, who came first first. There are few, so this is how one of them is found, too. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts somebody, or replaces who has their key. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    /** Forgets somebody, so that nothing of them is left in the database. A key that names nobody changes nothing. */
    readonly remove: (key: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}
