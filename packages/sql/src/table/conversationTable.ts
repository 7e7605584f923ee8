import type { Conversation, ConversationStatus } from "@trailbook/core/conversation/Conversation"
import { wordsOf } from "@trailbook/core/customer/Search"
import * as Table from "../Table.ts"
import { behindSpace } from "./customerTable.ts"

const columns = {
  org_id: "text",
  id: "text",
  customer_id: "text?",
  from_name: "text?",
  from_email: "text?",
  token: "text",
  status: "text",
  subject: "text",
  last_message_id: "text?",
  last_at: "instant",
  last_by: "text?",
  guest_at: "instant?",
  outfitter_read_at: "instant?",
  guest_read_at: "instant?",
  snoozed_until: "instant?",
  acked_at: "instant?",
  bounced_at: "instant?",
  created_at: "instant"
} as const

/**
 * @category tables
 */
export const conversationTable = Table.make({
  name: "conversations",
  key: ["org_id", "id"],
  columns,
  decode: (row): Conversation => ({
    id: row.id,
    orgId: row.org_id,
    customerId: row.customer_id,
    fromName: row.from_name,
    fromEmail: row.from_email,
    token: row.token,
    status: row.status as ConversationStatus,
    subject: row.subject,
    lastMessageId: row.last_message_id,
    lastAt: row.last_at,
    lastBy: row.last_by as Conversation["lastBy"],
    guestAt: row.guest_at,
    outfitterReadAt: row.outfitter_read_at,
    guestReadAt: row.guest_read_at,
    snoozedUntil: row.snoozed_until,
    ackedAt: row.acked_at,
    bouncedAt: row.bounced_at,
    createdAt: row.created_at
  }),
  encode: (conversation) => ({
    org_id: conversation.orgId,
    id: conversation.id,
    customer_id: conversation.customerId,
    from_name: conversation.fromName,
    from_email: conversation.fromEmail,
    token: conversation.token,
    status: conversation.status,
    subject: conversation.subject,
    last_message_id: conversation.lastMessageId,
    last_at: conversation.lastAt,
    last_by: conversation.lastBy,
    guest_at: conversation.guestAt,
    outfitter_read_at: conversation.outfitterReadAt,
    guest_read_at: conversation.guestReadAt,
    snoozed_until: conversation.snoozedUntil,
    acked_at: conversation.ackedAt,
    bounced_at: conversation.bouncedAt,
    created_at: conversation.createdAt
  })
})

/**
 * A conversation as it is written: with the words that find whoever asked in it; a
 * customer's are in their own row.
 *
 * @category tables
 */
export const conversationWriteTable = Table.make({
  ...conversationTable,
  columns: { ...columns, words: "text" },
  encode: (conversation: Conversation) => ({
    ...conversationTable.encode(conversation),
    words: conversation.customerId === null
      ? wordsOf({ name: conversation.fromName ?? "", email: conversation.fromEmail ?? "", phone: "" })
        .map(behindSpace).join("")
      : ""
  })
})
