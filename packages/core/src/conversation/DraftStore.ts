import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Key } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * Drafts that were asked for, so that they can be counted. One refers to its org.
 *
 * @category ports
 */
export class DraftStore extends Context.Tag("@trailbook/core/DraftStore")<
  DraftStore,
  {
    /** How many were asked for at or after a moment. */
    readonly count: (orgId: string, since: Instant) => Effect.Effect<number>
    readonly add: (draft: Key & { readonly at: Instant }) => Effect.Effect<void>
    readonly remove: (draft: Key) => Effect.Effect<void>
    /** Takes away what was asked for before a moment and counts no more. */
    readonly removeBefore: (orgId: string, moment: Instant) => Effect.Effect<void>
  }
>() {}
