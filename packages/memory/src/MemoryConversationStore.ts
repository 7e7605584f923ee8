import { type Conversation, isUnread } from "@trailbook/core/conversation/Conversation"
import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { compare, toInboxCursor } from "@trailbook/core/conversation/inboxOrder"
import * as ListedConversation from "@trailbook/core/conversation/ListedConversation"
import * as Words from "@trailbook/core/conversation/message/searchTerms"
import * as Search from "@trailbook/core/customer/customerSearch"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(ConversationStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ conversations }) => findRows(conversations, keys))
  const put = (rows: ReadonlyArray<Conversation>) =>
    write((tables) => {
      for (const { customerId, orgId } of rows) {
        requireRow(tables.orgs, orgId)
        if (customerId !== null) requireRow(tables.customers, orgKey(orgId, customerId))
      }
      return { ...tables, conversations: rows.reduce(Table.put, tables.conversations) }
    })
  return {
    find,
    lock: find,
    put,
    erase: put,
    findByToken: (token) => read(({ conversations }) => Table.findBy(conversations, "token", token)),
    findByCustomer: (customers) =>
      read(({ conversations }) =>
        Table.getEachBy(conversations, "customer", customers.map(({ id, orgId }) => orgKey(orgId, id)))
      ),
    findByEmail: (keys) =>
      read(({ conversations }) =>
        Table.getEachBy(conversations, "e-mail", keys.map(({ email, orgId }) => orgKey(orgId, email)))
      ),
    list: ({ after, customerId, limit, now, orgId, q, status, unread }) =>
      read((tables) => {
        const finds = q === undefined ? () => true : finding(tables, q)
        const place = (conversation: Conversation) => toInboxCursor(conversation, now)
        return [...Table.range(tables.conversations, "created", orgId)]
          .filter((row) =>
            row.lastBy !== null &&
            (status === undefined || row.status === status) &&
            (unread === undefined || isUnread(row) === unread) &&
            (customerId === undefined || row.customerId === customerId) &&
            (after === undefined || compare(after, place(row)) < 0) &&
            finds(row)
          )
          .sort((a, b) => compare(place(a), place(b)))
          .slice(0, limit)
          .map((conversation) => listed(tables, conversation))
      }),
    all: (orgId, after, limit) =>
      read(({ conversations }) => takeFirst(Table.range(conversations, "created", orgId, { above: after }), limit))
  }
})

const listed = (tables: Tables, conversation: Conversation): ListedConversation.ListedConversation => {
  const { customerId, lastMessageId, orgId } = conversation
  const [last] = lastMessageId === null ? [] : findRows(tables.messages, [{ orgId, id: lastMessageId }])
  return ListedConversation.make(
    conversation,
    customerId === null ? undefined : requireRow(tables.customers, orgKey(orgId, customerId)),
    last
  )
}

/** Returns a predicate: whether the query matches the guest or a message. */
const finding = (tables: Tables, q: string) => {
  const search = Search.parseSearch(q)
  const parts = Words.queryTerms(q)
  return ({ customerId, fromEmail, fromName, id, orgId }: Conversation): boolean => {
    const guest = customerId === null
      ? { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
      : requireRow(tables.customers, orgKey(orgId, customerId))
    return Search.matches(search, Search.toSearchTerms(guest), []) ||
      [...Table.range(tables.messages, "inConversation", orgKey(orgId, id))].some((message) =>
        Words.matches(parts, Words.searchTerms(message))
      )
  }
}
