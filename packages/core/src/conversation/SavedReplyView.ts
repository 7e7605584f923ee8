import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Id, ids, Timestamp } from "../wire/View.ts"
import type { SavedReply } from "./SavedReply.ts"

/**
 * The saved reply on the wire.
 *
 * @category schemas
 */
export const SavedReplyView = Schema.Struct({
  id: means("its id", Id, ids.savedReply),
  org_id: means("the outfitter", Id, ids.org),
  title: means("what it is picked by", Schema.String, "Wetsuits"),
  body: means(
    "its words; {first_name}, {start_time}, {offering}, {meeting_point}, {org} and {booking_link} are filled in",
    Schema.String,
    "Hi {first_name}, wetsuits are included. See you {start_time}!"
  ),
  created_at: means("when it was made", Timestamp, "2027-04-12T18:03:11.482Z"),
  updated_at: means("when it was last changed", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "SavedReply" })
export type SavedReplyView = typeof SavedReplyView.Type

/**
 * A saved reply in a list, with its words filled in.
 *
 * @category schemas
 */
export const FilledReplyView = Schema.Struct({
  ...SavedReplyView.fields,
  text: means(
    "the body filled in for the booking or conversation asked about",
    Schema.String,
    "Hi Ada, wetsuits are included. See you Sat, Jun 6 at 9:00 AM!"
  ),
  missing: means(
    "the names in braces that are unknown or have no value here",
    Schema.Array(Schema.String),
    []
  )
}).annotations({ identifier: "FilledReply" })

/**
 * @category converting
 */
export const savedReplyView: (value: SavedReply) => SavedReplyView = viewOf(SavedReplyView)
