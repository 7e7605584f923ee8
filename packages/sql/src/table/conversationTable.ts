import type { Conversation } from "@trailbook/core/conversation/Conversation"
import { wordsOf } from "@trailbook/core/customer/Search"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"
import { behindSpace } from "./customerTable.ts"

/**
 * @category tables
 */
export const conversationTable = Fields.table<Conversation>()({
  name: "conversations",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    customerId: "text?",
    fromName: "text?",
    fromEmail: "text?",
    token: "text",
    status: "text",
    subject: "text",
    lastMessageId: "text?",
    lastAt: "instant",
    lastBy: "text?",
    guestAt: "instant?",
    outfitterReadAt: "instant?",
    guestReadAt: "instant?",
    snoozedUntil: "instant?",
    ackedAt: "instant?",
    bouncedAt: "instant?",
    movedTo: "text?",
    createdAt: "instant"
  }
})

/**
 * A conversation as it is written: with the words that find whoever asked in it; a
 * customer's are in their own row.
 *
 * @category tables
 */
export const conversationWriteTable = Table.make({
  ...conversationTable,
  columns: { ...conversationTable.columns, words: "text" },
  encode: (conversation: Conversation) => ({
    ...conversationTable.encode(conversation),
    words: conversation.customerId === null
      ? wordsOf({ name: conversation.fromName ?? "", email: conversation.fromEmail ?? "", phone: "" })
        .map(behindSpace).join("")
      : ""
  })
})
