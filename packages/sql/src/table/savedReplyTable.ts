import type { SavedReply } from "@trailbook/core/conversation/SavedReply"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const savedReplyTable = Table.make({
  name: "saved_replies",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    title: "text",
    body: "text",
    created_at: "instant",
    updated_at: "instant"
  },
  decode: (row): SavedReply => ({
    id: row.id,
    orgId: row.org_id,
    title: row.title,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }),
  encode: (reply) => ({
    org_id: reply.orgId,
    id: reply.id,
    title: reply.title,
    body: reply.body,
    created_at: reply.createdAt,
    updated_at: reply.updatedAt
  })
})
