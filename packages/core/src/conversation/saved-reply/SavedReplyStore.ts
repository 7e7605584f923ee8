import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { SavedReply } from "./SavedReply.ts"

/**
 * Stores saved replies. A saved reply must reference an existing org. A write that violates this rule fails as a
 * defect.
 */
export class SavedReplyStore extends Context.Tag("@trailbook/core/SavedReplyStore")<
  SavedReplyStore,
  {
    /** Finds a saved reply and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<SavedReply>>
    /** Returns all of an org's saved replies, in any order. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<SavedReply>>
    /** Inserts a saved reply, or replaces the one with the same ID. */
    readonly put: (reply: SavedReply) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
