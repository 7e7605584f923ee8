import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import { withDescription } from "../../wire/Field.ts"
import { toView } from "../../wire/snakeCase.ts"
import { exampleIds, Id, Timestamp } from "../../wire/View.ts"

/** A reusable text with variables. */
export interface SavedReply {
  readonly id: string
  readonly orgId: string
  /** The title in the list of replies. */
  readonly title: string
  readonly body: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type SavedReplyPatch = Partial<Pick<SavedReply, "title" | "body">>

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

/** The API representation of a saved reply. */
export const SavedReplyView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.savedReply),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  title: withDescription("the title shown to staff", Schema.String, "Wetsuits"),
  body: withDescription(
    "the text with the variables {first_name}, {start_time}, {offering}, {meeting_point}, {org}, {booking_link}, " +
      "and {balance}",
    Schema.String,
    "Hi {first_name}, wetsuits are included. See you {start_time}!"
  ),
  created_at: withDescription("when the saved reply was created", Timestamp, "2027-04-12T18:03:11.482Z"),
  updated_at: withDescription("when the saved reply was last changed", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "SavedReply" })
export type SavedReplyView = typeof SavedReplyView.Type

/** A saved reply in a list, with its variables filled in. */
export const FilledReplyView = Schema.Struct({
  ...SavedReplyView.fields,
  text: withDescription(
    "the body with the variables filled in for the requested booking or conversation",
    Schema.String,
    "Hi Ada, wetsuits are included. See you Sat, Jun 6 at 9:00 AM!"
  ),
  missing: withDescription(
    "unknown variables, and variables without a value",
    Schema.Array(Schema.String),
    []
  )
}).annotations({ identifier: "FilledReply" })

export const savedReplyView: (value: SavedReply) => SavedReplyView = toView(SavedReplyView)
