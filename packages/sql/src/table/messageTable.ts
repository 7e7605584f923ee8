import type { Message } from "@trailbook/core/conversation/message/Message"
import { searchTerms } from "@trailbook/core/conversation/message/searchTerms"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

export const messageTable = Fields.table<Message>()({
  name: "messages",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    conversationId: "text",
    bookingId: "text?",
    customerId: "text?",
    direction: "text",
    subject: "text",
    body: "text",
    cut: "text",
    sentBy: "text",
    channel: "text",
    kind: "text",
    readAt: "instant?",
    deliveredAt: "instant?",
    failedAt: "instant?",
    failure: "text?",
    fromName: "text?",
    fromEmail: "text?",
    mailKey: "text?",
    mailId: "text?",
    bounceToken: "text?",
    broadcastId: "text?",
    createdAt: "instant"
  }
})

/** The written columns, including the search words. */
export const messageWriteTable = Table.make({
  ...messageTable,
  columns: { ...messageTable.columns, words: "text" },
  encode: (message: Message) => ({ ...messageTable.encode(message), words: searchTerms(message) })
})
