import * as Schema from "effect/Schema"
import { withDescription } from "../../wire/Field.ts"
import { toView } from "../../wire/snakeCase.ts"
import { Id, ids, Timestamp } from "../../wire/View.ts"
import type { SavedReply } from "./SavedReply.ts"

/** The API representation of a saved reply. */
export const SavedReplyView = Schema.Struct({
  id: withDescription("its ID", Id, ids.savedReply),
  org_id: withDescription("the outfitter", Id, ids.org),
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
