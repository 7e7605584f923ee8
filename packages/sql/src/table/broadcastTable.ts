import type { Writer } from "@trailbook/core/actor/provenance"
import type { Broadcast } from "@trailbook/core/conversation/Broadcast"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const broadcastTable = Table.make({
  name: "broadcasts",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    key: "text",
    target: "json",
    subject: "text",
    body: "text",
    sent_by: "text",
    began_at: "instant",
    after: "text",
    sent: "integer",
    skipped: "integer",
    failed: "integer",
    done_at: "instant?"
  },
  decode: (row): Broadcast => ({
    orgId: row.org_id,
    id: row.id,
    key: row.key,
    target: JSON.parse(row.target),
    subject: row.subject,
    body: row.body,
    sentBy: row.sent_by as Writer,
    beganAt: row.began_at,
    after: row.after,
    sent: row.sent,
    skipped: row.skipped,
    failed: row.failed,
    doneAt: row.done_at
  }),
  encode: (broadcast) => ({
    org_id: broadcast.orgId,
    id: broadcast.id,
    key: broadcast.key,
    target: broadcast.target,
    subject: broadcast.subject,
    body: broadcast.body,
    sent_by: broadcast.sentBy,
    began_at: broadcast.beganAt,
    after: broadcast.after,
    sent: broadcast.sent,
    skipped: broadcast.skipped,
    failed: broadcast.failed,
    done_at: broadcast.doneAt
  })
})
