import { type Broadcast, type SavedReply, toMessageSearchTerms } from "@trailbook/core/conversation"
import type { Conversation, ExpiringSecret } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { toSearchTerms } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { StoredFile } from "@trailbook/core/file"
import type { OrgKey } from "@trailbook/core/offering"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Table from "../Table.ts"

export const customerTable = Table.of<Customer>()({
  name: "customers",
  fields: {
    ...Table.orgKeyFields,
    email: "text",
    name: "text",
    phone: "text",
    notes: "text",
    metadata: "json",
    createdAt: "instant",
    provenAt: "instant?",
    unprovenMails: "json",
    erasedAt: "instant?"
  }
})

/**
 * The columns for writes, including the search words. Each word is preceded by a space, so a search for a space
 * followed by a prefix finds the words with that prefix. Null marks a row from an earlier version whose words have not
 * been computed yet.
 */
export const customerWriteTable = Table.make({
  ...customerTable,
  columns: { ...customerTable.columns, words: "text" },
  encode: (customer: Customer) => ({
    ...customerTable.encode(customer),
    words: toSearchTerms(customer).map(withLeadingSpace).join("")
  })
})

export const withLeadingSpace = (word: string): string => ` ${word}`

const baseTable = Table.of<Omit<Conversation, "link" | "pass">>()({
  name: "conversations",
  fields: {
    ...Table.orgKeyFields,
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

const toPass = (digest: string | null, until: ExpiringSecret["until"] | null): ExpiringSecret | null =>
  digest === null || until === null ? null : { digest, until }

export const conversationTable = Table.make({
  ...baseTable,
  columns: {
    ...baseTable.columns,
    link_digest: "text?",
    link_until: "instant?",
    shown_digest: "text?",
    shown_until: "instant?"
  },
  decode: (row): Conversation => ({
    ...baseTable.decode(row),
    link: toPass(row.link_digest, row.link_until),
    pass: toPass(row.shown_digest, row.shown_until)
  }),
  encode: (conversation: Conversation) => ({
    ...baseTable.encode(conversation),
    link_digest: conversation.link?.digest ?? null,
    link_until: conversation.link?.until ?? null,
    shown_digest: conversation.pass?.digest ?? null,
    shown_until: conversation.pass?.until ?? null
  })
})

/**
 * The columns for writes, including the sender's search words. If the sender is a customer, the words are in the
 * customer row.
 */
export const conversationWriteTable = Table.make({
  ...conversationTable,
  columns: { ...conversationTable.columns, words: "text" },
  encode: (conversation: Conversation) => ({
    ...conversationTable.encode(conversation),
    words: conversation.customerId === null
      ? toSearchTerms({ name: conversation.fromName ?? "", email: conversation.fromEmail ?? "", phone: "" })
        .map(withLeadingSpace).join("")
      : ""
  })
})

export const messageTable = Table.of<Message>()({
  name: "messages",
  fields: {
    ...Table.orgKeyFields,
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

/** The columns for writes, including the search words. */
export const messageWriteTable = Table.make({
  ...messageTable,
  columns: { ...messageTable.columns, words: "text" },
  encode: (message: Message) => ({ ...messageTable.encode(message), words: toMessageSearchTerms(message) })
})

export const broadcastTable = Table.of<Broadcast>()({
  name: "broadcasts",
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

export const savedReplyTable = Table.of<SavedReply>()({
  name: "saved_replies",
  fields: { ...Table.orgKeyFields, title: "text", body: "text", createdAt: "instant", updatedAt: "instant" }
})

export const draftTable = Table.of<OrgKey & { readonly at: Instant }>()({
  name: "drafts",
  fields: { orgId: "text", id: "text", at: "instant" }
})

export const fileTable = Table.of<StoredFile>()({
  name: "files",
  fields: {
    ...Table.orgKeyFields,
    name: "text",
    size: "integer",
    type: "text",
    createdAt: "instant",
    messageId: "text?",
    position: "integer"
  }
})
