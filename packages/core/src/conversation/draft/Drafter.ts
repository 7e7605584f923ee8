import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import type { DraftPrompt } from "./draftPrompt.ts"

/**
 * The error when no draft could be created. `message` is written to the log, so it must not contain guest data or text
 * written by a guest.
 */
export class DraftFailed extends Data.TaggedError("DraftFailed")<{
  readonly message: string
}> {}

/**
 * A language model that drafts replies. The model only turns text into text: it has no tools, and its output is neither
 * executed nor sent. If no model is set up, drafts are off.
 *
 * The drafter is called outside transactions, and it is interrupted after a timeout.
 */
export class Drafter extends Context.Tag("@trailbook/core/Drafter")<
  Drafter,
  {
    readonly draft: (prompt: DraftPrompt) => Effect.Effect<string, DraftFailed>
  }
>() {}

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
