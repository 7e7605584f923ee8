import { type Conversation, isUnread } from "@trailbook/core/conversation/Conversation"
import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import * as ListedConversation from "@trailbook/core/conversation/ListedConversation"
import { compare, positionOf } from "@trailbook/core/conversation/Listing"
import * as Words from "@trailbook/core/conversation/words"
import * as Search from "@trailbook/core/customer/Search"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(ConversationStore, ({ read, write }) => {
  const find = (keys: ReadonlyArray<Key>) => read(({ conversations }) => found(conversations, keys))
  const put = (rows: ReadonlyArray<Conversation>) =>
    write((tables) => {
      for (const { customerId, orgId } of rows) {
        referred(tables.orgs, orgId)
        if (customerId !== null) referred(tables.customers, within(orgId, customerId))
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
        Table.getEachBy(conversations, "customer", customers.map(({ id, orgId }) => within(orgId, id)))
      ),
    findByEmail: (keys) =>
      read(({ conversations }) =>
        Table.getEachBy(conversations, "e-mail", keys.map(({ email, orgId }) => within(orgId, email)))
      ),
    list: ({ after, customerId, limit, now, orgId, q, status, unread }) =>
      read((tables) => {
        const finds = q === undefined ? () => true : finding(tables, q)
        const place = (conversation: Conversation) => positionOf(conversation, now)
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
      read(({ conversations }) => firstOf(Table.range(conversations, "created", orgId, { above: after }), limit))
  }
})

const listed = (tables: Tables, conversation: Conversation): ListedConversation.ListedConversation => {
  const { customerId, lastMessageId, orgId } = conversation
  const [last] = lastMessageId === null ? [] : found(tables.messages, [{ orgId, id: lastMessageId }])
  return ListedConversation.make(
    conversation,
    customerId === null ? undefined : referred(tables.customers, within(orgId, customerId)),
    last
  )
}

/** Whether what is asked for finds the guest, or a message. */
const finding = (tables: Tables, q: string) => {
  const search = Search.read(q)
  const parts = Words.parts(q)
  return ({ customerId, fromEmail, fromName, id, orgId }: Conversation): boolean => {
    const guest = customerId === null
      ? { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
      : referred(tables.customers, within(orgId, customerId))
    return Search.finds(search, Search.wordsOf(guest), []) ||
      [...Table.range(tables.messages, "inConversation", within(orgId, id))].some((message) =>
        Words.finds(parts, Words.words(message))
      )
  }
}
