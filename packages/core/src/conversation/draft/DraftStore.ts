import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"

/**
 * The times of draft requests, without their text, to enforce the draft limit. A row refers to its org; storing one
 * that does not is a defect.
 */
export class DraftStore extends Context.Tag("@trailbook/core/DraftStore")<
  DraftStore,
  {
    /** The request times of an org, earliest first. */
    readonly asked: (orgId: string) => Effect.Effect<ReadonlyArray<Instant>>
    /** Adds a request with a new ID. */
    readonly add: (draft: OrgKey & { readonly at: Instant }) => Effect.Effect<void>
    /** Removes a request. Does nothing if the key does not exist. */
    readonly remove: (key: OrgKey) => Effect.Effect<void>
    /** Removes the requests of an org up to this time, inclusive. */
    readonly forget: (orgId: string, until: Instant) => Effect.Effect<void>
  }
>() {}
