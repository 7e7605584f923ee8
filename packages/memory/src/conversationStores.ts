import type { Booking } from "@trailbook/core/booking"
import {
  BroadcastStore,
  type BroadcastTarget,
  compareInboxOrder,
  containsTerms,
  ConversationStore,
  DraftStore,
  findUnreachedGuest,
  type ListedConversation,
  MessageStore,
  parseQueryTerms,
  SavedReplyStore,
  toInboxCursor,
  toListedConversation,
  toMessageSearchTerms
} from "@trailbook/core/conversation"
import { type Conversation, isUnread } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import { FileStore } from "@trailbook/core/file"
import type { OrgKey } from "@trailbook/core/offering"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, compareById, findRows, requireRow, type Tables, toKey, toOrgKey } from "./Tables.ts"

const conversationStore = tableLayer(ConversationStore, "conversations", (conversations, { read }) => ({
  find: conversations.findAll,
  lock: conversations.findAll,
  put: conversations.put,
  erase: conversations.put,
  findByToken: (token) => conversations.findBy("token", token),
  findByCustomer: (customers) => conversations.findAllBy("customer", customers.map(toKey)),
  findByEmail: (keys) => conversations.findAllBy("e-mail", keys.map(({ email, orgId }) => toOrgKey(orgId, email))),
  list: ({ after, customerId, limit, now, orgId, q, status, unread }) =>
    read((tables) => {
      const matches = q === undefined ? () => true : makeMatcher(tables, q)
      const toCursor = (conversation: Conversation) => toInboxCursor(conversation, now)
      return Table.list(tables.conversations, "created", orgId, {
        where: (row) =>
          row.lastBy !== null &&
          (status === undefined || row.status === status) &&
          (unread === undefined || isUnread(row) === unread) &&
          (customerId === undefined || row.customerId === customerId) &&
          (after === undefined || compareInboxOrder(after, toCursor(row)) < 0) &&
          matches(row)
      })
        .sort((a, b) => compareInboxOrder(toCursor(a), toCursor(b)))
        .slice(0, limit)
        .map((conversation) => toListed(tables, conversation))
    }),
  all: (orgId, after, limit) => conversations.list("created", orgId, { above: after, limit })
}))

const toListed = (tables: Tables, conversation: Conversation): ListedConversation => {
  const { customerId, lastMessageId, orgId } = conversation
  const [last] = lastMessageId === null ? [] : findRows(tables.messages, [{ orgId, id: lastMessageId }])
  return toListedConversation(
    conversation,
    customerId === null ? undefined : requireRow(tables.customers, toOrgKey(orgId, customerId)),
    last
  )
}

/** Returns a predicate that tests whether a conversation's guest or any of its messages matches the query. */
const makeMatcher = (tables: Tables, q: string) => {
  const search = parseSearchQuery(q)
  const terms = parseQueryTerms(q)
  return (conversation: Conversation): boolean => {
    const { customerId, fromEmail, fromName, orgId } = conversation
    const guest = customerId === null
      ? { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
      : requireRow(tables.customers, toOrgKey(orgId, customerId))
    return matchesSearch(search, toSearchTerms(guest), []) ||
      Table.list(tables.messages, "inConversation", toKey(conversation)).some((message) =>
        containsTerms(terms, toMessageSearchTerms(message))
      )
  }
}

const messageStore = tableLayer(MessageStore, "messages", (messages, { read }) => {
  const updateMessages = (conversation: OrgKey, edit: (message: Message) => Message) =>
    messages.update((table) =>
      Table.list(table, "inConversation", toKey(conversation)).map(edit).reduce(Table.put, table)
    )
  return {
    find: messages.findAll,
    findByMailKey: (orgId, mailKey) => messages.findBy("mail key", toOrgKey(orgId, mailKey)),
    findByBounceToken: (token) => messages.findBy("bounce token", token),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      messages.findAllBy("broadcast", customerIds.map((id) => `${orgId} ${broadcastId} ${id}`)),
    listUnreachedGuests: (query) =>
      read((tables) => {
        const { limit, orgId } = query
        const selection = "from" in query
          ? undefined
          : { bookings: new Set(query.bookingIds), sessions: new Set(query.sessionIds) }
        const bookings = Table.list(tables.bookings, "start", orgId, {
          where: ({ id, sessionId, startsAt }) =>
            selection === undefined
              ? "from" in query && startsAt >= query.from && startsAt < query.to
              : selection.bookings.has(id) || (sessionId !== null && selection.sessions.has(sessionId))
        })
        const ids = new Set(bookings.map(({ id }) => id))
        const messagesByBooking = new Map<string, Array<Message>>()
        for (const message of Table.range(tables.messages, "created", orgId)) {
          const { bookingId } = message
          if (bookingId === null || !ids.has(bookingId)) continue
          messagesByBooking.set(bookingId, [...messagesByBooking.get(bookingId) ?? [], message])
        }
        const bounceTimes = new Map(
          Table.list(tables.conversations, "created", orgId).map(({ bouncedAt, customerId }) => [customerId, bouncedAt])
        )
        return bookings
          .flatMap((booking) =>
            findUnreachedGuest(
              booking,
              requireRow(tables.customers, toOrgKey(orgId, booking.customerId)),
              bounceTimes.get(booking.customerId) ?? null,
              messagesByBooking.get(booking.id) ?? []
            ) ?? []
          )
          .slice(0, limit)
      }),
    list: ({ after, bookingId, conversationId, customerId, limit, orgId }) =>
      messages.list("created", orgId, {
        above: after,
        limit,
        where: (message) =>
          (conversationId === undefined || message.conversationId === conversationId) &&
          (bookingId === undefined || message.bookingId === bookingId) &&
          (customerId === undefined || message.customerId === customerId)
      }),
    latest: (conversation, limit) => messages.list("inConversation", toKey(conversation), { order: "desc", limit }),
    put: messages.put,
    erase: messages.put,
    markRead: (conversation, direction, at) =>
      updateMessages(
        conversation,
        (message) => message.direction === direction && message.readAt === null ? { ...message, readAt: at } : message
      ),
    move: (conversation, to) => updateMessages(conversation, (message) => ({ ...message, ...to }))
  }
})

const broadcastStore = tableLayer(BroadcastStore, "broadcasts", (broadcasts, { read }) => ({
  find: broadcasts.find,
  lock: broadcasts.find,
  lockByKey: (orgId, key) => broadcasts.findBy("key", toOrgKey(orgId, key)),
  put: broadcasts.putOne,
  listConfirmedBookings: ({ after, limit, orgId, target }) =>
    read(({ bookings }) =>
      confirmedBookings(bookings, orgId, target, after)
        .slice(0, limit)
        .map(({ customerId, id, startsAt: at }) => ({ at, id, customerId }))
    ),
  guests: ({ among, orgId, target }) =>
    read(({ bookings }) => {
      const ids = new Set(among)
      const firstBookings = new Map<string, string>()
      for (const { customerId, id } of confirmedBookings(bookings, orgId, target)) {
        if (ids.has(customerId) && !firstBookings.has(customerId)) firstBookings.set(customerId, id)
      }
      return [...firstBookings]
        .map(([customerId, bookingId]) => ({ customerId, bookingId }))
        .sort((a, b) => a.customerId < b.customerId ? -1 : 1)
    })
}))

const confirmedBookings = (
  bookings: Tables["bookings"],
  orgId: string,
  target: BroadcastTarget,
  above?: Position
): ReadonlyArray<Booking> =>
  Table.list(bookings, "start", orgId, {
    above,
    where: (row) => row.status === "confirmed" && isTargeted(target, row)
  })

const isTargeted = (target: BroadcastTarget, { offeringId, sessionId, startsAt }: Booking): boolean => {
  if ("sessionId" in target) return sessionId === target.sessionId
  return "offeringId" in target
    ? offeringId === target.offeringId && startsAt > target.from
    : startsAt >= target.from && startsAt < target.to
}

const savedReplyStore = tableLayer(SavedReplyStore, "savedReplies", (replies) => ({
  lock: replies.find,
  list: (orgId) => replies.list("created", orgId),
  put: replies.putOne,
  remove: replies.remove
}))

const draftStore = tableLayer(DraftStore, "drafts", (drafts) => ({
  requestTimes: (orgId) => Effect.map(drafts.list("asked", orgId), (rows) => rows.map(({ at }) => at)),
  add: drafts.putOne,
  remove: drafts.remove,
  forget: (orgId, until) => drafts.removeMatching("asked", orgId, ({ at }) => at <= until)
}))

const fileStore = tableLayer(FileStore, "files", (files, { read }) => {
  const findByMessages = (orgId: string, messageIds: ReadonlyArray<string>) => ({ files }: Tables) =>
    [...new Set(messageIds)].sort().flatMap((id) => Table.list(files, "ofMessage", toOrgKey(orgId, id)))

  return {
    add: files.add,
    find: files.find,
    // No lock is needed, because transactions run one at a time.
    lock: (orgId, ids) =>
      Effect.map(
        files.findAll(ids.map((id) => ({ orgId, id }))),
        (rows) => rows.toSorted(compareById)
      ),
    use: (usedFiles) =>
      files.update((table) =>
        usedFiles.reduce(
          (table, { messageId, name, position, ...key }) =>
            Table.change(table, toKey(key), (row) => ({ ...row, messageId, name, position })),
          table
        )
      ),
    ofMessages: (orgId, messageIds) => read(findByMessages(orgId, messageIds)),
    removeOfMessages: (orgId, messageIds) => files.take(findByMessages(orgId, messageIds)),
    removeUnused: (madeBefore, limit) =>
      files.take(({ files }) =>
        Table.list(files, "unused", allOrgsGroup, { below: Table.toPosition(madeBefore + 1), limit })
      ),
    discard: (key) =>
      files.update((table) => {
        const file = Table.get(table, toKey(key))
        return file?.messageId === null ? Table.removeRows(table, [file]) : table
      })
  }
})

export const layer = Layer.mergeAll(
  conversationStore,
  messageStore,
  broadcastStore,
  savedReplyStore,
  draftStore,
  fileStore
)
