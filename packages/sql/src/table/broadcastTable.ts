import type { Broadcast } from "@trailbook/core/conversation/broadcast/Broadcast"
import * as Fields from "../Fields.ts"

export const broadcastTable = Fields.table<Broadcast>()({
  name: "broadcasts",
  key: ["org_id", "id"],
  fields: {
    orgId: "text",
    id: "text",
    key: "text",
    target: "json",
    subject: "text",
    body: "text",
    sentBy: "text",
    beganAt: "instant",
    after: "text",
    sent: "integer",
    skipped: "integer",
    failed: "integer",
    doneAt: "instant?"
  }
})
