import type { Message } from "@trailbook/core/conversation/Message"
import { MessageStore } from "@trailbook/core/conversation/MessageStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { found, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(MessageStore, ({ read, write }) => {
  const put = (rows: ReadonlyArray<Message>) =>
    write((tables) => {
      for (const { bookingId, conversationId, customerId, orgId } of rows) {
        referred(tables.conversations, within(orgId, conversationId))
        if (bookingId !== null) referred(tables.bookings, within(orgId, bookingId))
        if (customerId !== null) referred(tables.customers, within(orgId, customerId))
      }
      return { ...tables, messages: rows.reduce(Table.put, tables.messages) }
    })
  const change = (conversation: Key, changed: (message: Message) => Message) =>
    write((tables) => ({
      ...tables,
      messages: of(tables, conversation).map(changed).reduce(Table.put, tables.messages)
    }))
  return {
    find: (keys) => read(({ messages }) => found(messages, keys)),
    findByMailKey: (orgId, mailKey) =>
      read(({ messages }) => Table.findBy(messages, "mail key", within(orgId, mailKey))),
    findByBounceToken: (token) => read(({ messages }) => Table.findBy(messages, "bounce token", token)),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      read(({ messages }) =>
        Table.getEachBy(messages, "broadcast", customerIds.map((id) => `${orgId} ${broadcastId} ${id}`))
      ),
    list: ({ after, bookingId, conversationId, customerId, limit, orgId }) =>
      read(({ messages }) =>
        firstOf(
          Table.range(messages, "created", orgId, { above: after }),
          limit,
          (message) =>
            (conversationId === undefined || message.conversationId === conversationId) &&
            (bookingId === undefined || message.bookingId === bookingId) &&
            (customerId === undefined || message.customerId === customerId)
        )
      ),
    latest: ({ id, orgId }, limit) =>
      read(({ messages }) =>
        firstOf(Table.range(messages, "inConversation", within(orgId, id), { order: "desc" }), limit)
      ),
    put,
    erase: put,
    markRead: (conversation, direction, at) =>
      change(
        conversation,
        (message) => message.direction === direction && message.readAt === null ? { ...message, readAt: at } : message
      ),
    move: (conversation, to) => change(conversation, (message) => ({ ...message, ...to }))
  }
})

const of = ({ messages }: Tables, { id, orgId }: Key): ReadonlyArray<Message> => [
  ...Table.range(messages, "inConversation", within(orgId, id))
]
