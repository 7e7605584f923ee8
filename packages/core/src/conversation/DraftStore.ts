import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * When drafts were asked for, so that they can be counted; nothing of what they say. A
 * row refers to its org. One that refers to none is not stored: that is a defect.
 *
 * @category ports
 */
export class DraftStore extends Context.Tag("@trailbook/core/DraftStore")<
  DraftStore,
  {
    /** When those of an org that are kept were asked for, the earliest first. */
    readonly asked: (orgId: string) => Effect.Effect<ReadonlyArray<Instant>>
    /** Stores one whose id is new. */
    readonly add: (draft: OrgKey & { readonly at: Instant }) => Effect.Effect<void>
    /** Takes one away; a key that names none changes nothing. */
    readonly remove: (key: OrgKey) => Effect.Effect<void>
    /** Takes away those of an org that were asked for at a moment or before. */
    readonly forget: (orgId: string, until: Instant) => Effect.Effect<void>
  }
>() {}
