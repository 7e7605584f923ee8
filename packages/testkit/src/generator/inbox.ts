import { messageAuthors } from "@trailbook/core/actor"
import type { SavedReply } from "@trailbook/core/conversation"
import { type Conversation, conversationStatuses } from "@trailbook/core/conversation/Conversation"
import { channels, type Message, messageDirections, messageKinds } from "@trailbook/core/conversation/message/Message"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { moment, momentOrNull, origin } from "./moment.ts"
import { type OrgData, orgData } from "./orgData.ts"
import { text } from "./text.ts"

/** An org with conversations. The rows have no org ID yet. */
export interface InboxData extends OrgData {
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
}

/** Words that share prefixes, in several spellings, so that searches match some words. */
const words = FastCheck.array(
  FastCheck.constantFrom(
    "wet",
    "Wetsuit",
    "we",
    "Größe",
    "gros",
    "grösse",
    "crème",
    "Creme",
    "山川水",
    "山川",
    "川",
    "5",
    "55"
  ),
  { maxLength: 4 }
).map((words) => words.join(" "))

const body = FastCheck.oneof({ arbitrary: words, weight: 2 }, { arbitrary: text(5000), weight: 1 })

const rowIndex = FastCheck.nat({ max: 1000 })

const thread = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  fromName: text(120),
  fromEmail: FastCheck.oneof(email, FastCheck.constant("")),
  token: FastCheck.uuid(),
  status: FastCheck.constantFrom(...conversationStatuses),
  subject: text(200),
  // The range is small, so some conversations share an instant.
  lastAt: FastCheck.oneof(moment, FastCheck.constant(origin)),
  lastBy: FastCheck.constantFrom("guest" as const, "outfitter" as const, "guest" as const, null),
  guestAt: momentOrNull,
  outfitterReadAt: momentOrNull,
  guestReadAt: momentOrNull,
  snoozedUntil: momentOrNull,
  ackedAt: momentOrNull,
  noticedAt: momentOrNull,
  unnoticedId: FastCheck.option(FastCheck.uuid()),
  bouncedAt: momentOrNull,
  movedTo: FastCheck.option(FastCheck.uuid(), { freq: 3 }),
  link: FastCheck.option(FastCheck.record({ digest: FastCheck.uuid(), until: moment })),
  pass: FastCheck.option(FastCheck.record({ digest: FastCheck.uuid(), until: moment })),
  createdAt: moment
})

const message = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  direction: FastCheck.constantFrom(...messageDirections),
  subject: body,
  body: body,
  cut: text(5000),
  sentBy: FastCheck.constantFrom(...messageAuthors),
  channel: FastCheck.constantFrom(...channels),
  kind: FastCheck.constantFrom(...messageKinds),
  readAt: momentOrNull,
  deliveredAt: momentOrNull,
  failedAt: momentOrNull,
  failure: FastCheck.option(text(200)),
  fromName: FastCheck.option(text(120)),
  fromEmail: FastCheck.option(email),
  mailKey: FastCheck.option(FastCheck.uuid()),
  mailId: FastCheck.option(text(200)),
  bounceToken: FastCheck.option(FastCheck.uuid()),
  createdAt: moment
})

const keepDistinct = <Row>(rows: ReadonlyArray<Row>, ...keys: ReadonlyArray<(row: Row) => string | null>) =>
  rows.filter((row, at) =>
    keys.every((key) => key(row) === null || rows.findIndex((other) => key(other) === key(row)) === at)
  )

/** An org with up to `maxThreads` conversations and a few messages in each. */
export const inboxData = (maxThreads: number): FastCheck.Arbitrary<InboxData> =>
  FastCheck.record({
    org: orgData(4),
    threads: FastCheck.uniqueArray(FastCheck.tuple(thread, FastCheck.option(rowIndex)), {
      maxLength: maxThreads,
      selector: ([{ id }]) => id
    }),
    messages: FastCheck.uniqueArray(
      FastCheck.tuple(message, rowIndex, FastCheck.option(rowIndex), FastCheck.constantFrom(null, "b1", "b2")),
      { maxLength: 3 * maxThreads, selector: ([{ id }]) => id }
    )
  }).map(({ messages, threads, org }) => {
    const conversations = keepDistinct(
      threads.map(([thread, customerIndex]): Conversation => ({
        ...thread,
        ...(customerIndex === null
          ? { customerId: null }
          : {
            customerId: org.customers[customerIndex % org.customers.length]?.id ?? null,
            fromName: null,
            fromEmail: null
          }),
        lastMessageId: thread.lastBy === null ? null : "none"
      })),
      ({ token }) => token,
      ({ customerId }) => customerId,
      ({ fromEmail }) => fromEmail === "" ? null : fromEmail
    )
    const candidates = messages.flatMap(
      ([message, conversationIndex, bookingIndex, broadcastId]): ReadonlyArray<Message> => {
        const conversation = conversations[conversationIndex % Math.max(conversations.length, 1)]
        if (conversation === undefined) return []
        const booking = bookingIndex === null
          ? undefined
          : org.bookings[bookingIndex % Math.max(org.bookings.length, 1)]
        const { customerId, id: conversationId } = conversation
        return [{
          ...message,
          conversationId,
          customerId,
          bookingId: booking?.id ?? null,
          broadcastId: customerId === null ? null : broadcastId
        }]
      }
    )
    const uniqueMessages = keepDistinct(
      candidates,
      ({ mailKey }) => mailKey,
      ({ bounceToken }) => bounceToken,
      ({ broadcastId, customerId }) => broadcastId === null ? null : `${broadcastId} ${customerId}`
    )
    return {
      ...org,
      conversations: conversations.map((conversation) => ({
        ...conversation,
        lastMessageId: conversation.lastBy === null
          ? null
          : uniqueMessages.find(({ conversationId }) => conversationId === conversation.id)?.id ?? "none"
      })),
      messages: uniqueMessages
    }
  })

export const savedReply: FastCheck.Arbitrary<SavedReply> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  title: text(80),
  body: text(5000),
  createdAt: moment,
  updatedAt: moment
})

/** An inbox search: the prefix of an existing word, or any text. */
export const searchText: FastCheck.Arbitrary<string> = FastCheck.oneof(
  { arbitrary: words, weight: 3 },
  {
    arbitrary: FastCheck.constantFrom(
      "wet",
      "WE",
      "grosse",
      "größe 5",
      "川水",
      "山水",
      "水",
      "a",
      "a.co",
      "elena",
      "?",
      "%"
    ),
    weight: 3
  },
  { arbitrary: text(200), weight: 1 }
)
