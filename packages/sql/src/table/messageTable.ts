import type { Writer } from "@trailbook/core/actor/provenance"
import type { Channel, Direction, Message, MessageKind } from "@trailbook/core/conversation/Message"
import { words } from "@trailbook/core/conversation/words"
import * as Table from "../Table.ts"

const columns = {
  org_id: "text",
  id: "text",
  conversation_id: "text",
  booking_id: "text?",
  customer_id: "text?",
  direction: "text",
  subject: "text",
  body: "text",
  cut: "text",
  sent_by: "text",
  channel: "text",
  kind: "text",
  read_at: "instant?",
  delivered_at: "instant?",
  failed_at: "instant?",
  failure: "text?",
  from_name: "text?",
  from_email: "text?",
  mail_key: "text?",
  mail_id: "text?",
  bounce_token: "text?",
  broadcast_id: "text?",
  created_at: "instant"
} as const

/**
 * @category tables
 */
export const messageTable = Table.make({
  name: "messages",
  key: ["org_id", "id"],
  columns,
  decode: (row): Message => ({
    id: row.id,
    orgId: row.org_id,
    conversationId: row.conversation_id,
    bookingId: row.booking_id,
    customerId: row.customer_id,
    direction: row.direction as Direction,
    subject: row.subject,
    body: row.body,
    cut: row.cut,
    sentBy: row.sent_by as Writer,
    channel: row.channel as Channel,
    kind: row.kind as MessageKind,
    readAt: row.read_at,
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
    failure: row.failure,
    fromName: row.from_name,
    fromEmail: row.from_email,
    mailKey: row.mail_key,
    mailId: row.mail_id,
    bounceToken: row.bounce_token,
    broadcastId: row.broadcast_id,
    createdAt: row.created_at
  }),
  encode: (message) => ({
    org_id: message.orgId,
    id: message.id,
    conversation_id: message.conversationId,
    booking_id: message.bookingId,
    customer_id: message.customerId,
    direction: message.direction,
    subject: message.subject,
    body: message.body,
    cut: message.cut,
    sent_by: message.sentBy,
    channel: message.channel,
    kind: message.kind,
    read_at: message.readAt,
    delivered_at: message.deliveredAt,
    failed_at: message.failedAt,
    failure: message.failure,
    from_name: message.fromName,
    from_email: message.fromEmail,
    mail_key: message.mailKey,
    mail_id: message.mailId,
    bounce_token: message.bounceToken,
    broadcast_id: message.broadcastId,
    created_at: message.createdAt
  })
})

/**
 * A message as it is written: with the words that find it.
 *
 * @category tables
 */
export const messageWriteTable = Table.make({
  ...messageTable,
  columns: { ...columns, words: "text" },
  encode: (message: Message) => ({ ...messageTable.encode(message), words: words(message) })
})
