import { findUnreachedGuest, type MessageStore } from "@trailbook/core/conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import type { OrgKey } from "@trailbook/core/offering"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { type Change, findRows, inGroup, inGroups, type State } from "../State.ts"

export const messageStore = ({ read, write }: Journal): MessageStore["Type"] => {
  const put = (rows: ReadonlyArray<Message>) => write(() => rows.map(updateOf))
  const change = (conversation: OrgKey, change: (message: Message) => Message) =>
    write((state) => of(state, conversation).map(change).map(updateOf))
  return {
    put,
    erase: put,
    find: (keys) => read(({ messages }) => findRows(messages, keys)),
    findByMailKey: (orgId, mailKey) =>
      read(({ messages }) => Option.fromIterable(inGroup(messages, `mail ${within(orgId, mailKey)}`))),
    findByBounceToken: (token) => read(({ messages }) => Option.fromIterable(inGroup(messages, `bounce ${token}`))),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      read(({ messages }) =>
        inGroups(messages, customerIds.map((id) => `broadcast ${within(orgId, `${broadcastId} ${id}`)}`))
      ),
    listUnreachedGuests: (query) =>
      read(({ bookings, conversations, customers, messages }) => {
        const { orgId } = query
        const all = inGroup(messages, `org ${orgId}`)
        const threads = inGroup(conversations, `org ${orgId}`)
        return inGroup(bookings, `org ${orgId}`)
          .filter(({ id, sessionId, startsAt }) =>
            "from" in query
              ? startsAt >= query.from && startsAt < query.to
              : query.bookingIds.includes(id) || (sessionId !== null && query.sessionIds.includes(sessionId))
          )
          .toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1))
          .flatMap((booking) => {
            const thread = threads.find(({ customerId }) => customerId === booking.customerId)
            const about = all.filter(({ bookingId }) => bookingId === booking.id)
            const [guest = { email: "" }] = findRows(customers, [{ orgId, id: booking.customerId }])
            return findUnreachedGuest(booking, guest, thread?.bouncedAt ?? null, about) ?? []
          })
          .slice(0, query.limit)
      }),
    list: ({ bookingId, conversationId, customerId, orgId, ...query }) =>
      read(({ messages }) => {
        const rows = inGroup(messages, `org ${orgId}`).filter((row) =>
          (conversationId === undefined || row.conversationId === conversationId) &&
          (bookingId === undefined || row.bookingId === bookingId) &&
          (customerId === undefined || row.customerId === customerId)
        )
        return page(rows, byCreation, query)
      }),
    latest: (conversation, limit) =>
      read((state) => page(of(state, conversation), byCreation, { limit, order: "desc" })),
    markRead: (conversation, direction, at) =>
      change(conversation, (row) => row.direction === direction && row.readAt === null ? { ...row, readAt: at } : row),
    move: (conversation, to) => change(conversation, (row) => ({ ...row, ...to }))
  }
}

const updateOf = (row: Message): Change => ({ table: "messages", row })

const of = ({ messages }: State, { id, orgId }: OrgKey): ReadonlyArray<Message> =>
  inGroup(messages, `conversation ${within(orgId, id)}`)
