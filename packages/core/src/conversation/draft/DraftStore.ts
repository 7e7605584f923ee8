import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"

/**
 * Stores the times of draft requests, but not their text, to enforce the draft limit. A row must reference an existing
 * org. A write that violates this rule fails as a defect.
 */
export class DraftStore extends Context.Tag("@trailbook/core/DraftStore")<
  DraftStore,
  {
    /** Returns an org's request times, oldest first. */
    readonly requestTimes: (orgId: string) => Effect.Effect<ReadonlyArray<Instant>>
    /** Adds a request with a new ID. */
    readonly add: (draft: OrgKey & { readonly at: Instant }) => Effect.Effect<void>
    /** Removes a request. Does nothing if the key does not exist. */
    readonly remove: (key: OrgKey) => Effect.Effect<void>
    /** Removes an org's requests that were made at or before this time. */
    readonly forget: (orgId: string, until: Instant) => Effect.Effect<void>
  }
>() {}
