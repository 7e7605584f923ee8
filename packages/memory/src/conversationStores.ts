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
import { FileStore, type StoredFile } from "@trailbook/core/file"
import type { OrgKey } from "@trailbook/core/offering"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, findRows, putOrgRows, requireRow, type Tables, toOrgKey } from "./Tables.ts"

const conversationStore = storeLayer(ConversationStore, ({ read, update }) => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ conversations }) => findRows(conversations, keys))
  const putConversations = (rows: ReadonlyArray<Conversation>) =>
    update("conversations", (conversations, tables) => {
      for (const { customerId, orgId } of rows) {
        requireRow(tables.orgs, orgId)
        if (customerId !== null) requireRow(tables.customers, toOrgKey(orgId, customerId))
      }
      return rows.reduce(Table.put, conversations)
    })
  return {
    find,
    lock: find,
    put: putConversations,
    erase: putConversations,
    findByToken: (token) => read(({ conversations }) => Table.findBy(conversations, "token", token)),
    findByCustomer: (customers) =>
      read(({ conversations }) =>
        Table.getEachBy(conversations, "customer", customers.map(({ id, orgId }) => toOrgKey(orgId, id)))
      ),
    findByEmail: (keys) =>
      read(({ conversations }) =>
        Table.getEachBy(conversations, "e-mail", keys.map(({ email, orgId }) => toOrgKey(orgId, email)))
      ),
    list: ({ after, customerId, limit, now, orgId, q, status, unread }) =>
      read((tables) => {
        const matches = q === undefined ? () => true : makeMatcher(tables, q)
        const toCursor = (conversation: Conversation) => toInboxCursor(conversation, now)
        return [...Table.range(tables.conversations, "created", orgId)]
          .filter((row) =>
            row.lastBy !== null &&
            (status === undefined || row.status === status) &&
            (unread === undefined || isUnread(row) === unread) &&
            (customerId === undefined || row.customerId === customerId) &&
            (after === undefined || compareInboxOrder(after, toCursor(row)) < 0) &&
            matches(row)
          )
          .sort((a, b) => compareInboxOrder(toCursor(a), toCursor(b)))
          .slice(0, limit)
          .map((conversation) => toListed(tables, conversation))
      }),
    all: (orgId, after, limit) =>
      read(({ conversations }) =>
        Table.takeFirst(Table.range(conversations, "created", orgId, { above: after }), limit)
      )
  }
})

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
  return ({ customerId, fromEmail, fromName, id, orgId }: Conversation): boolean => {
    const guest = customerId === null
      ? { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
      : requireRow(tables.customers, toOrgKey(orgId, customerId))
    return matchesSearch(search, toSearchTerms(guest), []) ||
      [...Table.range(tables.messages, "inConversation", toOrgKey(orgId, id))].some((message) =>
        containsTerms(terms, toMessageSearchTerms(message))
      )
  }
}

const messageStore = storeLayer(MessageStore, ({ read, update }) => {
  const putMessages = (rows: ReadonlyArray<Message>) =>
    update("messages", (messages, tables) => {
      for (const { bookingId, conversationId, customerId, orgId } of rows) {
        requireRow(tables.conversations, toOrgKey(orgId, conversationId))
        if (bookingId !== null) requireRow(tables.bookings, toOrgKey(orgId, bookingId))
        if (customerId !== null) requireRow(tables.customers, toOrgKey(orgId, customerId))
      }
      return rows.reduce(Table.put, messages)
    })
  const updateMessages = (conversation: OrgKey, edit: (message: Message) => Message) =>
    update("messages", (messages, tables) => findMessages(tables, conversation).map(edit).reduce(Table.put, messages))
  return {
    find: (keys) => read(({ messages }) => findRows(messages, keys)),
    findByMailKey: (orgId, mailKey) =>
      read(({ messages }) => Table.findBy(messages, "mail key", toOrgKey(orgId, mailKey))),
    findByBounceToken: (token) => read(({ messages }) => Table.findBy(messages, "bounce token", token)),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      read(({ messages }) =>
        Table.getEachBy(messages, "broadcast", customerIds.map((id) => `${orgId} ${broadcastId} ${id}`))
      ),
    listUnreachedGuests: (query) =>
      read((tables) => {
        const { limit, orgId } = query
        const selection = "from" in query
          ? undefined
          : { bookings: new Set(query.bookingIds), sessions: new Set(query.sessionIds) }
        const bookings = [...Table.range(tables.bookings, "start", orgId)].filter(({ id, sessionId, startsAt }) =>
          selection === undefined
            ? "from" in query && startsAt >= query.from && startsAt < query.to
            : selection.bookings.has(id) || (sessionId !== null && selection.sessions.has(sessionId))
        )
        const ids = new Set(bookings.map(({ id }) => id))
        const messagesByBooking = new Map<string, Array<Message>>()
        for (const message of Table.range(tables.messages, "created", orgId)) {
          const { bookingId } = message
          if (bookingId === null || !ids.has(bookingId)) continue
          messagesByBooking.set(bookingId, [...messagesByBooking.get(bookingId) ?? [], message])
        }
        const bounceTimes = new Map(
          [...Table.range(tables.conversations, "created", orgId)].map((
            { bouncedAt, customerId }
          ) => [customerId, bouncedAt])
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
      read(({ messages }) =>
        Table.takeFirst(
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
        Table.takeFirst(Table.range(messages, "inConversation", toOrgKey(orgId, id), { order: "desc" }), limit)
      ),
    put: putMessages,
    erase: putMessages,
    markRead: (conversation, direction, at) =>
      updateMessages(
        conversation,
        (message) => message.direction === direction && message.readAt === null ? { ...message, readAt: at } : message
      ),
    move: (conversation, to) => updateMessages(conversation, (message) => ({ ...message, ...to }))
  }
})

const findMessages = ({ messages }: Tables, { id, orgId }: OrgKey): ReadonlyArray<Message> => [
  ...Table.range(messages, "inConversation", toOrgKey(orgId, id))
]

const broadcastStore = storeLayer(BroadcastStore, ({ read, update }) => {
  const find = ({ id, orgId }: OrgKey) => read(({ broadcasts }) => Table.find(broadcasts, toOrgKey(orgId, id)))
  return {
    find,
    lock: find,
    lockByKey: (orgId, key) => read(({ broadcasts }) => Table.findBy(broadcasts, "key", toOrgKey(orgId, key))),
    put: (row) => update("broadcasts", (broadcasts, tables) => putOrgRows(tables, broadcasts, [row])),
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
  }
})

const confirmedBookings = (
  bookings: Tables["bookings"],
  orgId: string,
  target: BroadcastTarget,
  above?: Position
): ReadonlyArray<Booking> =>
  [...Table.range(bookings, "start", orgId, { above })].filter((row) =>
    row.status === "confirmed" && isTargeted(target, row)
  )

const isTargeted = (target: BroadcastTarget, { offeringId, sessionId, startsAt }: Booking): boolean => {
  if ("sessionId" in target) return sessionId === target.sessionId
  return "offeringId" in target
    ? offeringId === target.offeringId && startsAt > target.from
    : startsAt >= target.from && startsAt < target.to
}

const savedReplyStore = storeLayer(SavedReplyStore, ({ read, update }) => ({
  lock: ({ id, orgId }) => read(({ savedReplies }) => Table.find(savedReplies, toOrgKey(orgId, id))),
  list: (orgId) => read(({ savedReplies }) => [...Table.range(savedReplies, "created", orgId)]),
  put: (reply) => update("savedReplies", (savedReplies, tables) => putOrgRows(tables, savedReplies, [reply])),
  remove: ({ id, orgId }) => update("savedReplies", (savedReplies) => Table.remove(savedReplies, toOrgKey(orgId, id)))
}))

const draftStore = storeLayer(DraftStore, ({ read, update }) => ({
  requestTimes: (orgId) => read(({ drafts }) => [...Table.range(drafts, "asked", orgId)].map(({ at }) => at)),
  add: (draft) => update("drafts", (drafts, tables) => putOrgRows(tables, drafts, [draft])),
  remove: ({ id, orgId }) => update("drafts", (drafts) => Table.remove(drafts, toOrgKey(orgId, id))),
  forget: (orgId, until) =>
    update("drafts", (drafts) => Table.removeMatching(drafts, "asked", orgId, ({ at }) => at <= until))
}))

const fileStore = storeLayer(FileStore, ({ read, unitOfWork, update }) => {
  const findByMessages = (orgId: string, messageIds: ReadonlyArray<string>) => ({ files }: Tables) =>
    [...new Set(messageIds)].sort().flatMap((id) => [...Table.range(files, "ofMessage", toOrgKey(orgId, id))])

  /** Removes the selected files and returns them. */
  const takeFiles = (select: (tables: Tables) => ReadonlyArray<StoredFile>) =>
    unitOfWork.run(
      Effect.tap(read(select), (takenFiles) => update("files", (files) => Table.removeRows(files, takenFiles)))
    )

  return {
    add: (file) =>
      update("files", (files, tables) => {
        requireRow(tables.orgs, file.orgId)
        if (Table.get(files, keyOf(file)) !== undefined) {
          throw new Table.ConstraintViolation(`The file ${file.id} already exists.`)
        }
        return Table.put(files, file)
      }),
    find: (key) => read(({ files }) => Table.find(files, keyOf(key))),
    // No lock is needed, because transactions run one at a time.
    lock: (orgId, ids) =>
      read(({ files }) => findRows(files, ids.map((id) => ({ orgId, id }))).toSorted((a, b) => a.id < b.id ? -1 : 1)),
    use: (usedFiles) =>
      update("files", (files) =>
        usedFiles.reduce((files, file) => {
          const { messageId, name, position } = file
          return Table.change(files, keyOf(file), (row) => ({ ...row, messageId, name, position }))
        }, files)),
    ofMessages: (orgId, messageIds) => read(findByMessages(orgId, messageIds)),
    removeOfMessages: (orgId, messageIds) => takeFiles(findByMessages(orgId, messageIds)),
    removeUnused: (madeBefore, limit) =>
      takeFiles(({ files }) =>
        Table.takeFirst(Table.range(files, "unused", allOrgsGroup, { below: { at: madeBefore + 1, id: "" } }), limit)
      ),
    discard: (key) =>
      update("files", (files) => {
        const file = Table.get(files, keyOf(key))
        return file?.messageId === null ? Table.removeRows(files, [file]) : files
      })
  }
})

const keyOf = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => toOrgKey(orgId, id)

export const layer = Layer.mergeAll(
  conversationStore,
  messageStore,
  broadcastStore,
  savedReplyStore,
  draftStore,
  fileStore
)
