import type { Writer } from "@trailbook/core/actor"
import type { ListedConversation } from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Channel, Direction, MessageKind } from "@trailbook/core/conversation/message/Message"
import type { Instant } from "@trailbook/core/time/Instant"
import { type ColumnRow, list } from "../Columns.ts"
import type { Dialect } from "../Dialect.ts"

const columns = {
  id: "text",
  org_id: "text",
  customer_id: "text?",
  from_name: "text?",
  from_email: "text?",
  status: "text",
  last_message_id: "text?",
  last_at: "instant",
  last_by: "text?",
  guest_at: "instant?",
  outfitter_read_at: "instant?",
  guest_read_at: "instant?",
  snoozed_until: "instant?",
  created_at: "instant"
} as const

/** A conversation with the guest and last-message columns that the list shows. */
export type ConversationRecordRow = ColumnRow<typeof columns> & {
  readonly customer_name: string | null
  readonly customer_email: string
  readonly customer_phone: string
  readonly message_at: Instant | null
  readonly message_direction: Direction
  readonly message_kind: MessageKind
  readonly message_channel: Channel
  readonly message_sent_by: Writer
  readonly message_body: string
}

/**
 * Returns the start of a statement that reads the records of the conversations `v`. The guest and the message are
 * looked up for each row. Otherwise, a plan that is made without the page size could read all of the org's guests for
 * one page.
 */
export const selectRecords = ({ lateral, table }: Dialect): string => {
  const joinRow = (name: string, alias: string, id: string): string => {
    const condition = `${alias}.org_id = v.org_id and ${alias}.id = ${id}`
    return lateral
      ? `left join lateral (select * from ${table(name)} ${alias} where ${condition} limit 1) as ${alias} on true`
      : `left join ${table(name)} ${alias} on ${condition}`
  }
  return `select ${list(columns, "v")},
    c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
    m.created_at as message_at, m.direction as message_direction, m.kind as message_kind,
    m.channel as message_channel, m.sent_by as message_sent_by, m.body as message_body
  from ${table("conversations")} v
    ${joinRow("customers", "c", "v.customer_id")}
    ${joinRow("messages", "m", "v.last_message_id")}`
}

/** Decodes a row. The function is handwritten for speed, because the inbox is read often and has many rows. */
export const conversationRecord = (row: ConversationRecordRow): ListedConversation => ({
  conversation: {
    id: row.id,
    orgId: row.org_id,
    customerId: row.customer_id,
    fromName: row.from_name,
    fromEmail: row.from_email,
    status: row.status as Conversation["status"],
    lastMessageId: row.last_message_id,
    lastAt: row.last_at,
    lastBy: row.last_by as Conversation["lastBy"],
    guestAt: row.guest_at,
    outfitterReadAt: row.outfitter_read_at,
    guestReadAt: row.guest_read_at,
    snoozedUntil: row.snoozed_until,
    createdAt: row.created_at
  },
  customer: row.customer_id === null || row.customer_name === null
    ? undefined
    : { id: row.customer_id, name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
  last: row.last_message_id === null || row.message_at === null ? undefined : {
    id: row.last_message_id,
    direction: row.message_direction,
    kind: row.message_kind,
    channel: row.message_channel,
    sentBy: row.message_sent_by,
    body: row.message_body,
    createdAt: row.message_at
  }
})
