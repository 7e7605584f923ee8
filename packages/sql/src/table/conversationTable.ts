import type { Conversation, Pass } from "@trailbook/core/conversation/Conversation"
import { toSearchTerms } from "@trailbook/core/customer/customerSearch"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"
import { behindSpace } from "./customerTable.ts"

const plain = Fields.table<Omit<Conversation, "link" | "shown">>()({
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
    noticedAt: "instant?",
    unnoticedId: "text?",
    bouncedAt: "instant?",
    movedTo: "text?",
    createdAt: "instant"
  }
})

const passOf = (digest: string | null, until: Pass["until"] | null): Pass | null =>
  digest === null || until === null ? null : { digest, until }

export const conversationTable = Table.make({
  ...plain,
  columns: {
    ...plain.columns,
    link_digest: "text?",
    link_until: "instant?",
    shown_digest: "text?",
    shown_until: "instant?"
  },
  decode: (row): Conversation => ({
    ...plain.decode(row),
    link: passOf(row.link_digest, row.link_until),
    shown: passOf(row.shown_digest, row.shown_until)
  }),
  encode: (conversation: Conversation) => ({
    ...plain.encode(conversation),
    link_digest: conversation.link?.digest ?? null,
    link_until: conversation.link?.until ?? null,
    shown_digest: conversation.shown?.digest ?? null,
    shown_until: conversation.shown?.until ?? null
  })
})

/** The written columns, including the search words of the sender. The words of a customer are in the customer row. */
export const conversationWriteTable = Table.make({
  ...conversationTable,
  columns: { ...conversationTable.columns, words: "text" },
  encode: (conversation: Conversation) => ({
    ...conversationTable.encode(conversation),
    words: conversation.customerId === null
      ? toSearchTerms({ name: conversation.fromName ?? "", email: conversation.fromEmail ?? "", phone: "" })
        .map(behindSpace).join("")
      : ""
  })
})
