import type { Message } from "@trailbook/core/conversation/message/Message"
import { MessageStore } from "@trailbook/core/conversation/message/MessageStore"
import { findUnreachedGuest } from "@trailbook/core/conversation/message/UnreachedGuest"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(MessageStore, ({ read, write }) => {
  const put = (rows: ReadonlyArray<Message>) =>
    write((tables) => {
      for (const { bookingId, conversationId, customerId, orgId } of rows) {
        requireRow(tables.conversations, orgKey(orgId, conversationId))
        if (bookingId !== null) requireRow(tables.bookings, orgKey(orgId, bookingId))
        if (customerId !== null) requireRow(tables.customers, orgKey(orgId, customerId))
      }
      return { ...tables, messages: rows.reduce(Table.put, tables.messages) }
    })
  const change = (conversation: OrgKey, changed: (message: Message) => Message) =>
    write((tables) => ({
      ...tables,
      messages: of(tables, conversation).map(changed).reduce(Table.put, tables.messages)
    }))
  return {
    find: (keys) => read(({ messages }) => findRows(messages, keys)),
    findByMailKey: (orgId, mailKey) =>
      read(({ messages }) => Table.findBy(messages, "mail key", orgKey(orgId, mailKey))),
    findByBounceToken: (token) => read(({ messages }) => Table.findBy(messages, "bounce token", token)),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      read(({ messages }) =>
        Table.getEachBy(messages, "broadcast", customerIds.map((id) => `${orgId} ${broadcastId} ${id}`))
      ),
    unreached: (query) =>
      read((tables) => {
        const { limit, orgId } = query
        const named = "from" in query
          ? undefined
          : { bookings: new Set(query.bookingIds), sessions: new Set(query.sessionIds) }
        const found = [...Table.range(tables.bookings, "start", orgId)].filter(({ id, sessionId, startsAt }) =>
          named === undefined
            ? "from" in query && startsAt >= query.from && startsAt < query.to
            : named.bookings.has(id) || (sessionId !== null && named.sessions.has(sessionId))
        )
        const asked = new Set(found.map(({ id }) => id))
        const about = new Map<string, Array<Message>>()
        for (const message of Table.range(tables.messages, "created", orgId)) {
          const { bookingId } = message
          if (bookingId === null || !asked.has(bookingId)) continue
          about.set(bookingId, [...about.get(bookingId) ?? [], message])
        }
        const bounced = new Map(
          [...Table.range(tables.conversations, "created", orgId)].map((
            { bouncedAt, customerId }
          ) => [customerId, bouncedAt])
        )
        return found
          .flatMap((booking) =>
            findUnreachedGuest(booking, bounced.get(booking.customerId) ?? null, about.get(booking.id) ?? []) ?? []
          )
          .slice(0, limit)
      }),
    list: ({ after, bookingId, conversationId, customerId, limit, orgId }) =>
      read(({ messages }) =>
        takeFirst(
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
        takeFirst(Table.range(messages, "inConversation", orgKey(orgId, id), { order: "desc" }), limit)
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

const of = ({ messages }: Tables, { id, orgId }: OrgKey): ReadonlyArray<Message> => [
  ...Table.range(messages, "inConversation", orgKey(orgId, id))
]
