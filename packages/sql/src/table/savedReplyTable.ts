import type { SavedReply } from "@trailbook/core/conversation/saved-reply/SavedReply"
import * as Fields from "../Fields.ts"

export const savedReplyTable = Fields.table<SavedReply>()({
  name: "saved_replies",
  key: ["org_id", "id"],
  fields: { id: "text", orgId: "text", title: "text", body: "text", createdAt: "instant", updatedAt: "instant" }
})
