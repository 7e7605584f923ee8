import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Key } from "../offering/OfferingStore.ts"

/**
 * Somebody who works for the outfitter, with an address of their own.
 *
 * @category models
 */
export interface StaffMember {
  readonly id: string
  readonly orgId: string
  /** In lower case; unique within the org. */
  readonly email: string
  readonly name: string
  /** Whether they are told by mail what guests write. */
  readonly notify: boolean
}

/**
 * A member of the staff refers to their org, and no two of an org have one e-mail.
 * What breaks this is not stored: that is a defect.
 *
 * @category ports
 */
export class StaffStore extends Context.Tag("@trailbook/core/StaffStore")<
  StaffStore,
  {
    /** All of an org, by e-mail. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffMember>>
    /** Inserts them, or replaces the one with their key. */
    readonly put: (member: StaffMember) => Effect.Effect<void>
    readonly remove: (key: Key) => Effect.Effect<void>
  }
>() {}
