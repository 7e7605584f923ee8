/**
 * Tests stored conversations and messages. Order, filters, and search must match core's rules applied to all rows in
 * memory.
 */
import { messageAuthors } from "@trailbook/core/actor"
import type { Booking } from "@trailbook/core/booking"
import {
  type BroadcastTarget,
  compareInboxOrder,
  containsTerms,
  findUnreachedGuest,
  type InboxCursor,
  parseQueryTerms,
  type SavedReply,
  toInboxCursor,
  toListedConversation,
  toMessageSearchTerms
} from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import { makePlaceholderEmail } from "@trailbook/core/customer/Customer"
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { type InboxData, inboxData, savedReply, searchText } from "../../generator/inbox.ts"
import { makeOptionalFilter, moment, momentOrNull, origin } from "../../generator/moment.ts"
import { orgData } from "../../generator/orgData.ts"
import { text } from "../../generator/text.ts"
import { law, lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { incrementCreatedAt, isSameRow, makeLock, makeRemoval, readByKey, readList, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import {
  assertDies,
  assertFinds,
  assertFindsNothing,
  assertSameRows,
  compareByStart,
  readAllPages,
  readAllPagesByCreation,
  sortOldestFirst
} from "../rowAssertions.ts"
import { copyBookingWithNewIds } from "../sampleRows.ts"
import { createEmptyOrg, newId, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

/** Makes a secret unique across orgs. */
const toUniqueSecret = (text: string | null, orgId: string) => text === null ? null : `${text} ${orgId}`

/** Stores conversations in one org, and conversations with the same IDs but different text in another. */
const storeConversations = (inbox: InboxData) =>
  Effect.gen(function*() {
    const seededOrg = yield* seedOrg(inbox)
    const { orgId, twinId } = seededOrg
    const makeRows = (orgId: string) => ({
      conversations: inbox.conversations.map((row): Conversation.Conversation => ({
        ...row,
        orgId,
        token: `${row.token} ${orgId}`
      })),
      messages: inbox.messages.map((row): Message => ({
        ...row,
        orgId,
        bounceToken: toUniqueSecret(row.bounceToken, orgId)
      }))
    })
    const ownRows = makeRows(orgId)
    const twinRows = makeRows(twinId)
    yield* Store.conversations.put(ownRows.conversations)
    yield* Store.messages.put(ownRows.messages)
    yield* Store.conversations.put(twinRows.conversations.map((row) => ({ ...row, subject: `${row.subject} twin` })))
    yield* Store.messages.put(twinRows.messages.map((row) => ({ ...row, body: "wet Größe 山川" })))
    return { ...seededOrg, ...ownRows }
  })

/** A broadcast without its org, ID, and key. */
const broadcast = FastCheck.record({
  target: FastCheck.oneof(
    FastCheck.record({ sessionId: FastCheck.uuid() }),
    FastCheck.record({ offeringId: FastCheck.uuid(), from: moment })
  ),
  subject: text(120),
  body: text(2000),
  // Guests do not send broadcasts.
  sentBy: FastCheck.constantFrom(...messageAuthors.filter((writer) => writer !== "guest")),
  beganAt: moment,
  after: text(80),
  sent: FastCheck.nat(),
  skipped: FastCheck.nat(),
  failed: FastCheck.nat(),
  doneAt: momentOrNull
})

const filters = FastCheck.record({
  status: FastCheck.constantFrom(undefined, undefined, "open" as const, "done" as const),
  unread: FastCheck.constantFrom(undefined, undefined, true, false),
  customerIndex: FastCheck.option(FastCheck.nat({ max: 3 }), { freq: 5 }),
  q: makeOptionalFilter(searchText),
  now: moment
})

type Filters = typeof filters extends FastCheck.Arbitrary<infer F> ? F : never

const toQuery = ({ customerIndex, now, q, status, unread }: Filters, orgId: string, { customers }: InboxData) => ({
  orgId,
  now,
  q,
  status,
  unread,
  customerId: customerIndex === null ? undefined : customers[customerIndex]?.id
})

const makeMatcher =
  ({ customers, messages }: InboxData, q: string) =>
  ({ customerId, fromEmail, fromName, id }: Conversation.Conversation) => {
    const guest = customers.find((customer) => customer.id === customerId) ??
      { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
    return matchesSearch(parseSearchQuery(q), toSearchTerms(guest), []) ||
      messages.some((message) =>
        message.conversationId === id && containsTerms(parseQueryTerms(q), toMessageSearchTerms(message))
      )
  }

const expectedList = (inbox: InboxData, { customerId, now, q, status, unread }: ReturnType<typeof toQuery>) =>
  inbox.conversations
    .filter((row) => row.lastBy !== null)
    .filter((row) => status === undefined || row.status === status)
    .filter((row) => unread === undefined || Conversation.isUnread(row) === unread)
    .filter((row) => customerId === undefined || row.customerId === customerId)
    .filter((row) => q === undefined || makeMatcher(inbox, q)(row))
    .toSorted((a, b) => compareInboxOrder(toInboxCursor(a, now), toInboxCursor(b, now)))
    .map((row) =>
      toListedConversation(
        row,
        inbox.customers.find(({ id }) => id === row.customerId),
        inbox.messages.find(({ id }) => id === row.lastMessageId)
      )
    )

const inboxLaw = makeLawsWithStoredData(storeConversations)

const noFilters = { now: origin, customerIndex: null, q: undefined, status: undefined, unread: undefined }

const assertLists = (inbox: InboxData & { readonly orgId: string }, filters: Filters) => {
  const query = toQuery(filters, inbox.orgId, inbox)
  return Effect.map(
    Store.conversations.list({ ...query, limit: 1000 }),
    (rows) => assert.deepStrictEqual(rows, expectedList(inbox, query), query.q)
  )
}

export const conversationLaws = [
  inboxLaw(
    "conversations/find",
    "returns every conversation in full by key, token, customer, or email, exactly once and only to its own org",
    FastCheck.tuple(inboxData(6)),
    function*({ conversations, customers, orgId }) {
      const keys = [...conversations, ...conversations, { orgId, id: newId() }]
      assertSameRows(yield* Store.conversations.find(keys), conversations)
      assertSameRows(yield* Store.conversations.lock(keys.toReversed()), conversations)
      assertSameRows(
        yield* Store.conversations.findByCustomer([...customers, ...customers]),
        conversations.filter(({ customerId }) => customerId !== null)
      )
      for (const row of conversations) {
        yield* assertFinds(Store.conversations.findByToken(row.token), row)
        if (row.fromEmail === null) continue
        const query = { orgId, email: row.fromEmail }
        assert.deepStrictEqual(
          yield* Store.conversations.findByEmail([query, query]),
          row.fromEmail === "" ? [] : [row]
        )
      }
      const emails = conversations.flatMap(({ fromEmail }) => fromEmail === null ? [] : [{ orgId, email: fromEmail }])
      assertSameRows(
        yield* Store.conversations.findByEmail([...emails, { orgId, email: "nobody@a.co" }]),
        conversations.filter(({ fromEmail }) => fromEmail !== null && fromEmail !== "")
      )
      yield* assertFindsNothing(Store.conversations.findByToken(newId()))
    }
  ),

  inboxLaw(
    "conversations/put",
    "replaces a conversation when it is stored again, and frees its previous token, customer, and email",
    FastCheck.tuple(inboxData(3), FastCheck.boolean()),
    function*({ conversations: [first], orgId }, isErasing) {
      if (first === undefined) return
      const replacement = { ...first, token: newId(), customerId: null, fromName: "Ann", fromEmail: "", subject: "new" }
      yield* isErasing ? Store.conversations.erase([replacement]) : Store.conversations.put([replacement])
      assert.deepStrictEqual(yield* Store.conversations.find([first]), [replacement])
      yield* Store.conversations.put([{ ...first, id: newId() }])
      assertSameRows((yield* Store.conversations.all(orgId, undefined, 100)).filter(({ id }) => id === first.id), [
        replacement
      ])
    }
  ),

  law(
    "conversations/unique",
    "rejects a second conversation with the same customer, email, or token",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const makeConversation = (fromEmail: string, token: string) =>
        Conversation.make({ id: newId(), orgId, fromName: "", fromEmail, token, createdAt: origin })
      const [token, other] = [newId(), newId()]
      yield* Store.conversations.put([makeConversation("a@a.co", token)])
      yield* Store.conversations.put([makeConversation("", other), makeConversation("", newId())])
      for (const second of [makeConversation("a@a.co", newId()), makeConversation("b@a.co", token)]) {
        yield* assertDies(Store.conversations.put([second]))
      }
    }
  ),

  inboxLaw(
    "conversations/list",
    "lists matching conversations in inbox order at a given time, each with its guest and last message",
    FastCheck.tuple(inboxData(8), filters),
    assertLists
  ),

  inboxLaw(
    "conversations/pages",
    "returns every conversation in the inbox exactly once for any page size",
    FastCheck.tuple(inboxData(8), filters, FastCheck.integer({ min: 1, max: 5 })),
    function*(inbox, filters, limit) {
      const query = toQuery({ ...filters, customerIndex: null, q: undefined, unread: undefined }, inbox.orgId, inbox)
      const pages = yield* readAllPages(
        limit,
        (after: InboxCursor | undefined) => Store.conversations.list({ ...query, after, limit }),
        ({ conversation }) => toInboxCursor(conversation, query.now)
      )
      assert.deepStrictEqual(pages, expectedList(inbox, query))
    }
  ),

  inboxLaw(
    "conversations/search",
    "finds a conversation if a single message matches every searched prefix, ignoring case and accents",
    FastCheck.tuple(inboxData(4), FastCheck.array(searchText, { maxLength: 6 })),
    function*(inbox, searchTexts) {
      // Also search for the text of existing messages, which must match.
      const messageTexts = inbox.messages.slice(0, 2).map(({ body }) => body).filter((body) =>
        parseQueryTerms(body).length > 0
      )
      for (const q of [...searchTexts, ...messageTexts]) yield* assertLists(inbox, { ...noFilters, q })
    }
  ),

  inboxLaw(
    "conversations/all",
    "returns each of an org's conversations once in creation order, including empty conversations",
    FastCheck.tuple(inboxData(6), FastCheck.integer({ min: 1, max: 7 })),
    function*({ conversations, orgId }, limit) {
      const pages = yield* readAllPagesByCreation(limit, (after) => Store.conversations.all(orgId, after, limit))
      assert.deepStrictEqual(pages, sortOldestFirst(conversations))
    }
  ),

  inboxLaw(
    "messages/find",
    "finds complete messages by key, email key, bounce token, or broadcast",
    FastCheck.tuple(inboxData(4)),
    function*({ customers, messages, orgId }) {
      assertSameRows(yield* Store.messages.find([...messages, ...messages, { orgId, id: newId() }]), messages)
      for (const row of messages) {
        if (row.mailKey !== null) {
          yield* assertFinds(Store.messages.findByMailKey(orgId, row.mailKey), row)
        }
        if (row.bounceToken !== null) {
          yield* assertFinds(Store.messages.findByBounceToken(row.bounceToken), row)
        }
      }
      assertSameRows(
        yield* Store.messages.findOfBroadcast(orgId, "b1", customers.map(({ id }) => id)),
        messages.filter(({ broadcastId }) => broadcastId === "b1")
      )
      yield* assertFindsNothing(Store.messages.findByMailKey(orgId, newId()))
      yield* assertFindsNothing(Store.messages.findByBounceToken(newId()))
    }
  ),

  inboxLaw(
    "messages/unreached",
    "returns the bookings whose guests were not reached, in start order, for a time span or for selected IDs and sessions",
    FastCheck.tuple(inboxData(6), FastCheck.nat({ max: 4 }), FastCheck.nat({ max: 4 })),
    function*({ bookings, conversations, customers, messages, orgId, sessions }, splitIndex, limit) {
      const bookingIds = bookings.slice(0, splitIndex).map(({ id }) => id)
      const sessionIds = sessions.slice(splitIndex).map(({ id }) => id)
      const guests = [...customers]
      const expectedGuests = (isRequested: (booking: Booking) => boolean, all = bookings) =>
        all.filter(isRequested).toSorted(compareByStart).flatMap((booking) =>
          findUnreachedGuest(
            booking,
            guests.find(({ id }) => id === booking.customerId) ?? { email: "" },
            conversations.find(({ customerId }) => customerId === booking.customerId)?.bouncedAt ?? null,
            messages.filter(({ bookingId }) => bookingId === booking.id)
          ) ?? []
        )
      const [from, to] = [
        bookings[0]?.startsAt ?? origin,
        Instant.addMinutes(bookings[0]?.startsAt ?? origin, 7 * 24 * 60)
      ]
      const isInSpan = ({ startsAt }: Booking) => startsAt >= from && startsAt < to
      assert.deepStrictEqual(
        yield* Store.messages.listUnreachedGuests({ orgId, limit: 1000, from, to }),
        expectedGuests(isInSpan)
      )
      assert.deepStrictEqual(
        yield* Store.messages.listUnreachedGuests({ orgId, limit: limit + 1, bookingIds, sessionIds }),
        expectedGuests(({ id, sessionId }) => bookingIds.includes(id) || sessionIds.includes(sessionId ?? "")).slice(
          0,
          limit + 1
        )
      )
      const [customer] = customers
      if (customer === undefined) return
      const id = newId()
      const walkIn = { ...customer, id, email: makePlaceholderEmail(id), erasedAt: null }
      guests.push(walkIn)
      yield* Store.customers.put([walkIn])
      // Generated references are hexadecimal.
      const copyBooking = (booking: Booking): Booking => ({
        ...copyBookingWithNewIds(booking),
        reference: `N${newId().slice(-7)}`
      })
      // With this many bookings, a storage adapter may start its search from the failed messages instead.
      const copies = bookings.flatMap((booking) => [
        { ...copyBooking(booking), customerId: id, contact: null, attendance: null },
        ...Array.from({ length: 20 }, () => copyBooking(booking))
      ])
      yield* Store.bookings.put(copies)
      assert.deepStrictEqual(
        yield* Store.messages.listUnreachedGuests({ orgId, limit: 1000, from, to }),
        expectedGuests(isInSpan, [...bookings, ...copies])
      )
    }
  ),

  inboxLaw(
    "messages/list",
    "lists the messages of an org, conversation, booking, or customer, oldest first, for any page size",
    FastCheck.tuple(
      inboxData(4),
      FastCheck.integer({ min: 1, max: 5 }),
      FastCheck.constantFrom("all", "conversation", "booking", "customer"),
      FastCheck.nat({ max: 3 })
    ),
    function*({ bookings, conversations, customers, messages, orgId }, limit, by, at) {
      const query = {
        orgId,
        conversationId: by === "conversation" ? conversations[at]?.id : undefined,
        bookingId: by === "booking" ? bookings[at]?.id : undefined,
        customerId: by === "customer" ? customers[at]?.id : undefined
      }
      const pages = yield* readAllPagesByCreation(limit, (after) => Store.messages.list({ ...query, after, limit }))
      const expected = sortOldestFirst(
        messages.filter((row) =>
          (query.conversationId ?? row.conversationId) === row.conversationId &&
          (query.bookingId ?? row.bookingId) === row.bookingId &&
          (query.customerId ?? row.customerId) === row.customerId
        )
      )
      assert.deepStrictEqual(pages, expected)
      const [first] = conversations
      if (first === undefined) return
      assert.deepStrictEqual(
        yield* Store.messages.latest(first, limit),
        sortOldestFirst(messages.filter(({ conversationId }) => conversationId === first.id)).toReversed().slice(
          0,
          limit
        )
      )
    }
  ),

  inboxLaw(
    "messages/read",
    "marks only the unread messages in one direction of a conversation as read",
    FastCheck.tuple(inboxData(4), moment),
    function*({ conversations: [first], messages, orgId }, at) {
      if (first === undefined) return
      yield* Store.messages.markRead(first, "to_outfitter", at)
      assertSameRows(
        yield* Store.messages.list({ orgId, limit: 1000 }),
        messages.map((row) =>
          row.conversationId === first.id && row.direction === "to_outfitter" && row.readAt === null
            ? { ...row, readAt: at }
            : row
        )
      )
    }
  ),

  lawForAll(
    "messages/move",
    "moves all of one conversation's messages, and no others, to another conversation or customer",
    FastCheck.tuple(inboxData(4), FastCheck.boolean()),
    function*([inbox, movesAway]) {
      const { conversations: [first, second], customers: [customer], messages, orgId } = yield* storeConversations({
        ...inbox,
        messages: inbox.messages.map((message) => ({ ...message, broadcastId: null }))
      })
      if (first === undefined || customer === undefined) return
      const to = { conversationId: movesAway && second !== undefined ? second.id : first.id, customerId: customer.id }
      yield* Store.messages.move(first, to)
      assertSameRows(
        yield* Store.messages.list({ orgId, limit: 1000 }),
        messages.map((row) => row.conversationId === first.id ? { ...row, ...to } : row)
      )
    }
  ),

  inboxLaw(
    "messages/erase",
    "replaces the content of an erased message, and no longer finds its previous text",
    FastCheck.tuple(inboxData(3)),
    function*({ messages, orgId }) {
      const erasedMessages = messages.map((row): Message => ({ ...row, subject: "", body: "", cut: "", failure: null }))
      yield* Store.messages.erase(erasedMessages)
      assertSameRows(yield* Store.messages.find(messages), erasedMessages)
      for (const { body } of messages) {
        if (parseSearchQuery(body).parts.length > 0) continue
        const query = { orgId, now: origin, q: body }
        assert.deepStrictEqual(yield* Store.conversations.list({ ...query, limit: 10 }), [])
      }
    }
  ),

  inboxLaw(
    "messages/unique",
    "rejects a second message with the same email, the same bounce token, or the same broadcast and customer",
    FastCheck.tuple(inboxData(4)),
    function*({ messages }) {
      const noKeys = { mailKey: null, bounceToken: null, broadcastId: null }
      for (const row of messages) {
        const { bounceToken, broadcastId, mailKey } = row
        for (const keyFields of [{ mailKey }, { bounceToken }, { broadcastId }]) {
          const exit = yield* Effect.exit(Store.messages.put([{ ...row, ...noKeys, ...keyFields, id: newId() }]))
          const isNone = Object.values(keyFields).every((value) => value === null)
          assert.strictEqual(exit._tag, isNone ? "Success" : "Failure")
        }
      }
    },
    (runs) => Math.min(runs, 20)
  ),

  lawForAll(
    "broadcasts/rows",
    "finds the complete current version of a broadcast by ID or key, only in its own org",
    FastCheck.tuple(broadcast, broadcast),
    function*([before, after]) {
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const [id, key] = [newId(), newId()]
      for (const row of [before, after]) {
        const storedRow = { ...row, orgId, id, key }
        const twin = { ...storedRow, orgId: twinId, body: "Twin" }
        yield* Effect.forEach([storedRow, twin], Store.broadcasts.put, { discard: true })
        for (const expected of [storedRow, twin]) {
          const results = [
            yield* Store.broadcasts.find(expected),
            yield* Store.run(Store.broadcasts.lock(expected)),
            yield* Store.run(Store.broadcasts.lockByKey(expected.orgId, key))
          ]
          assert.deepStrictEqual(results.map(Option.getOrNull), [expected, expected, expected])
        }
      }
      yield* assertFindsNothing(Store.broadcasts.find({ orgId, id: newId() }))
      yield* assertFindsNothing(Store.run(Store.broadcasts.lockByKey(orgId, newId())))
    }
  ),

  lawForAll(
    "broadcasts/guests",
    "returns each guest with a confirmed booking for the broadcast's target exactly once",
    FastCheck.tuple(orgData(12), FastCheck.integer({ min: 1, max: 3 }), moment, FastCheck.nat({ max: 2 })),
    function*([org, limit, at, nth]) {
      const { bookings, offerings, orgId, sessions } = yield* seedOrg(org)
      const to = Instant.addMinutes(at, 45)
      const targets: ReadonlyArray<readonly [BroadcastTarget, (booking: Booking) => boolean]> = [
        [{ from: at, to }, ({ startsAt }) => startsAt >= at && startsAt < to],
        ...offerings.slice(nth, nth + 1).map(({ id: offeringId }) =>
          [
            { offeringId, from: at },
            (booking: Booking) => booking.offeringId === offeringId && booking.startsAt > at
          ] as const
        ),
        ...sessions.slice(nth, nth + 1).map(({ id: sessionId }) =>
          [{ sessionId }, (booking: Booking) => booking.sessionId === sessionId] as const
        )
      ]
      for (const [target, isTargeted] of targets) {
        const targetBookings = bookings.filter((booking) => booking.status === "confirmed" && isTargeted(booking))
        const expected = [...new Set(targetBookings.map(({ customerId }) => customerId))].sort().map((customerId) => ({
          customerId,
          bookingId: targetBookings.toSorted(compareByStart).find((booking) => booking.customerId === customerId)?.id ??
            ""
        }))
        const customerIds = expected.map(({ customerId }) => customerId)
        const allGuests = yield* Store.broadcasts.guests({
          orgId,
          target,
          among: [...customerIds.toReversed(), newId()]
        })
        assert.deepStrictEqual(allGuests, expected)
        const otherGuests = yield* Store.broadcasts.guests({ orgId, target, among: customerIds.slice(1) })
        assert.deepStrictEqual(otherGuests, expected.slice(1))
        assert.deepStrictEqual(yield* Store.broadcasts.guests({ orgId, target, among: [] }), [])
        const pages = yield* readAllPages(
          limit,
          (after: Position | undefined) => Store.broadcasts.listConfirmedBookings({ orgId, target, after, limit }),
          ({ at, id }) => ({ at, id })
        )
        assert.deepStrictEqual(
          pages,
          targetBookings.toSorted(compareByStart).map(({ customerId, id, startsAt }) => ({
            at: startsAt,
            id,
            customerId
          }))
        )
      }
    }
  ),

  lawForAll(
    "drafts/counted",
    "lists the request times of an org's drafts, earliest first, and removes drafts by ID or age",
    FastCheck.record({
      given: FastCheck.uniqueArray(
        FastCheck.record({ id: FastCheck.uuid(), orgId: FastCheck.constant(""), at: moment }),
        { maxLength: 6, selector: ({ id }) => id }
      ),
      until: moment
    }),
    function*({ given, until }) {
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      for (const id of [orgId, twinId]) yield* Effect.forEach(given, (row) => Store.drafts.add({ ...row, orgId: id }))
      const toSortedTimes = (rows: typeof given) => rows.map(({ at }) => at).sort((one, other) => one - other)
      assert.deepStrictEqual(yield* Store.drafts.requestTimes(orgId), toSortedTimes(given))
      const [first, ...rest] = given
      if (first === undefined) return
      yield* Store.drafts.remove({ orgId, id: first.id })
      yield* Store.drafts.remove({ orgId, id: newId() })
      assert.deepStrictEqual(yield* Store.drafts.requestTimes(orgId), toSortedTimes(rest))
      yield* Store.drafts.forget(orgId, until)
      assert.deepStrictEqual(
        yield* Store.drafts.requestTimes(orgId),
        toSortedTimes(rest.filter(({ at }) => at > until))
      )
      for (const { at } of rest) yield* Store.drafts.forget(orgId, at)
      assert.deepStrictEqual(yield* Store.drafts.requestTimes(orgId), [])
      assert.deepStrictEqual(yield* Store.drafts.requestTimes(twinId), toSortedTimes(given))
    }
  ),

  ...makeRowLaws<SavedReply>({
    key: "saved-replies",
    name: "a saved reply",
    row: savedReply,
    put: Effect.forEach(Store.savedReplies.put),
    reads: { list: readList(Store.savedReplies.list) },
    locks: { lock: makeLock("locks/saved-reply", readByKey(Store.savedReplies.lock, toOrgKey), incrementCreatedAt) },
    changes: { remove: makeRemoval("removes one saved reply, and no others", Store.savedReplies.remove, isSameRow) }
  })
]
