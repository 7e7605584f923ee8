/** Storage adapters that each break one law about conversations, messages, or saved replies in a plausible way. */
import { BookingStore } from "@trailbook/core/booking"
import {
  BroadcastStore,
  ConversationStore,
  DraftStore,
  MessageStore,
  SavedReplyStore
} from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { FileStore, type StoredFile } from "@trailbook/core/file"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, swallowFailures } from "./brokenStorage.ts"

const findNothing = () => Effect.succeed(Option.none())

const forgetful = (store: BookingStore["Type"]): Partial<BookingStore["Type"]> => ({
  put: (rows) => store.put(rows.map((row) => ({ ...row, contact: null })))
})

const unused = (file: StoredFile): StoredFile => ({ ...file, messageId: null })

/** Splits words like a database tokenizer: ignores case but keeps accents. */
const ownWords = (text: string): ReadonlyArray<string> => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)

export const messageControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "conversations/find",
    "does not store the snooze time",
    breakPort(ConversationStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, snoozedUntil: null })))
    }))
  ],
  [
    "conversations/put",
    "does not erase conversations",
    breakPort(ConversationStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "conversations/unique",
    "silently accepts a second conversation",
    breakPort(ConversationStore, (store) => ({ put: swallowFailures(store.put) }))
  ],
  [
    "conversations/list",
    "lists the newest first, ignoring which ones need a reply",
    breakPort(ConversationStore, (store) => ({
      list: (query) =>
        Effect.map(
          store.list({ ...query, limit: 1000 }),
          (rows) => rows.toSorted((a, b) => b.conversation.lastAt - a.conversation.lastAt).slice(0, query.limit)
        )
    }))
  ],
  [
    "conversations/search-crowd",
    "searches only the first thousand conversations",
    breakPort(ConversationStore, (store) => ({
      list: ({ limit, ...query }) =>
        Effect.gen(function*() {
          const ids = new Set(
            (yield* store.list({ ...query, q: undefined, limit: 1000 })).map(({ conversation }) => conversation.id)
          )
          return (yield* store.list({ ...query, limit })).filter(({ conversation }) => ids.has(conversation.id))
        })
    }))
  ],
  [
    "conversations/pages",
    "continues a page by time only, ignoring the ID",
    breakPort(ConversationStore, (store) => ({
      list: ({ after, ...query }) =>
        store.list({ ...query, after: after === undefined ? undefined : { ...after, id: "" } })
    }))
  ],
  [
    "conversations/search",
    "splits text into words like the database",
    breakPort(ConversationStore, (store) => ({
      list: ({ q, ...query }) =>
        q === undefined ? store.list({ ...query, q }) : Effect.map(
          store.list({ ...query, q }),
          (rows) => rows.filter(() => ownWords(q).join("") === q.normalize("NFKD").toLowerCase())
        )
    }))
  ],
  [
    "conversations/all",
    "omits empty conversations",
    breakPort(ConversationStore, (store) => ({
      all: (...query) => Effect.map(store.all(...query), (rows) => rows.filter(({ lastBy }) => lastBy !== null))
    }))
  ],
  [
    "messages/find",
    "does not find a message by its email key",
    breakPort(MessageStore, () => ({ findByMailKey: findNothing }))
  ],
  [
    "messages/unreached",
    "ignores a failed message if a later reminder was delivered",
    breakPort(MessageStore, (store) => ({
      listUnreachedGuests: (query) =>
        Effect.map(store.listUnreachedGuests(query), (messages) => messages.filter(({ failure }) => failure === null))
    }))
  ],
  [
    "messages/list",
    "returns the latest messages in reverse order",
    breakPort(MessageStore, (store) => ({
      latest: (...query) => Effect.map(store.latest(...query), (rows) => rows.toReversed())
    }))
  ],
  [
    "messages/read",
    "marks read messages as read again",
    breakPort(MessageStore, (store) => ({
      markRead: (conversation, direction, at) =>
        Effect.flatMap(
          store.latest(conversation, 1000),
          (rows) => store.put(rows.filter((row) => row.direction === direction).map((row) => ({ ...row, readAt: at })))
        )
    }))
  ],
  ["messages/move", "moves no messages", breakPort(MessageStore, () => ({ move: () => Effect.void }))],
  ["messages/erase", "does not erase messages", breakPort(MessageStore, () => ({ erase: () => Effect.void }))],
  [
    "messages/unique",
    "silently accepts a second message for the same email",
    breakPort(MessageStore, (store) => ({ put: swallowFailures(store.put) }))
  ],
  [
    "messages/unique",
    "accepts a second message of a broadcast for the same guest",
    breakPort(MessageStore, (store) => ({
      put: (rows) =>
        Effect.catchAllDefect(store.put(rows), () => store.put(rows.map((row) => ({ ...row, broadcastId: null }))))
    }))
  ],
  ...["broadcasts/rows", "races/broadcast"].map((law) =>
    [
      law,
      "does not recognize a repeated broadcast",
      breakPort(BroadcastStore, (store) => ({
        lockByKey: findNothing,
        put: (row) => store.put({ ...row, key: row.id })
      }))
    ] as const
  ),
  [
    "saved-replies/rows",
    "truncates bodies",
    breakPort(SavedReplyStore, ({ put }) => ({ put: (row) => put({ ...row, body: row.body.slice(0, 5) }) }))
  ],
  [
    "saved-replies/put",
    "does not replace a stored reply",
    breakPort(SavedReplyStore, ({ lock, put }) => ({
      put: (row) => Effect.flatMap(lock(row), (stored) => Option.isSome(stored) ? Effect.void : put(row))
    }))
  ],
  [
    "saved-replies/remove",
    "does not remove saved replies",
    breakPort(SavedReplyStore, () => ({ remove: () => Effect.void }))
  ],

  ["drafts/counted", "does not remove drafts", breakPort(DraftStore, () => ({ remove: () => Effect.void }))],
  ["drafts/counted", "counts old drafts", breakPort(DraftStore, () => ({ forget: () => Effect.void }))],
  ["races/drafts", "runs transactions without isolation", Memory.layerUnguarded],
  ["races/drafts", "does not store requests for drafts", breakPort(DraftStore, () => ({ add: () => Effect.void }))],
  [
    "races/drafts",
    "counts failed drafts toward the limit",
    breakPort(DraftStore, () => ({ remove: () => Effect.void }))
  ],
  [
    "races/drafted-words",
    "does not rewrite events",
    breakPort(EventLog, () => ({ rewrite: () => Effect.void }))
  ],
  [
    "races/obedient",
    "records no events for drafts",
    breakPort(EventLog, (log) => ({
      append: (events) => log.append(events.filter(({ type }) => type !== "message.drafted"))
    }))
  ],

  [
    "races/mails",
    "does not recognize a repeated email",
    breakPort(MessageStore, () => ({ findByMailKey: findNothing }))
  ],
  ["races/mails", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "races/strangers",
    "returns the email address of another guest",
    breakPort(CustomerStore, (store) => ({
      find: (keys) => Effect.map(store.find(keys), (rows) => rows.map((row) => ({ ...row, email: "bob@a.co" })))
    }))
  ],
  [
    "races/same-message",
    "does not store idempotency keys",
    breakPort(RequestKeys, () => ({ find: findNothing, bind: () => Effect.void }))
  ],
  [
    "races/first-message",
    "does not find the conversation of a guest",
    breakPort(ConversationStore, () => ({ findByCustomer: () => Effect.succeed([]) }))
  ],
  [
    "races/question",
    "does not move messages to the guest's conversation",
    breakPort(MessageStore, () => ({ move: () => Effect.void }))
  ],
  [
    "races/taken-in",
    "does not store where a question was merged",
    breakPort(ConversationStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, movedTo: null })))
    }))
  ],
  [
    "races/erased-words",
    "does not erase messages",
    breakPort(MessageStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "races/erased-proposal",
    "returns no pending proposals",
    breakPort(
      ProposalStore,
      (store) => ({ list: (query) => query.status === "pending" ? Effect.succeed([]) : store.list(query) })
    )
  ],
  [
    "races/erased-question",
    "does not erase messages",
    breakPort(MessageStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "races/erased-question",
    "does not erase the name and address of the person who asked",
    breakPort(ConversationStore, () => ({ erase: () => Effect.void }))
  ],
  ...["broadcasts/rows", "races/broadcast"].map((law) =>
    [
      law,
      "does not store the progress of a broadcast",
      breakPort(BroadcastStore, (store) => ({
        put: (row) => store.put({ ...row, after: "", doneAt: null, sent: 0, skipped: 0, failed: 0 })
      }))
    ] as const
  ),
  [
    "broadcasts/guests",
    "starts every page at the first booking",
    breakPort(
      BroadcastStore,
      (store) => ({ listConfirmedBookings: (query) => store.listConfirmedBookings({ ...query, after: undefined }) })
    )
  ],
  [
    "broadcasts/guests",
    "returns all guests instead of the requested ones",
    breakPort(BroadcastStore, (store) => ({
      guests: ({ orgId, target }) =>
        Effect.flatMap(
          store.listConfirmedBookings({ orgId, target, after: undefined, limit: 1000 }),
          (bookings) => store.guests({ orgId, target, among: bookings.map(({ customerId }) => customerId) })
        )
    }))
  ],
  [
    "guests/bound",
    "does not store which booking a message belongs to",
    breakPort(MessageStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, bookingId: null })))
    }))
  ],
  ["guests/bound", "does not store the form data of a booking", breakPort(BookingStore, forgetful)],
  [
    "guests/files",
    "does not store which message a file belongs to",
    breakPort(FileStore, (store) => ({ find: (key) => Effect.map(store.find(key), Option.map(unused)) }))
  ],
  [
    "guests/changes",
    "does not store which changes guests can make",
    breakPort(OrgStore, (store) => ({ put: (org) => store.put({ ...org, guestChangesHours: null }) }))
  ],
  [
    "guests/holds",
    "counts the moved booking as overlapping itself",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map(({ except: _except, ...query }) => query))
    }))
  ],
  [
    "guests/twice",
    "does not recognize a form that is sent twice",
    breakPort(MessageStore, () => ({ findByMailKey: findNothing }))
  ],
  ["guests/link", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "guests/link",
    "keeps a link that was already used",
    breakPort(ConversationStore, (store) => ({
      put: (rows) =>
        Effect.flatMap(store.find(rows), (before) =>
          store.put(
            rows.map((row) => ({ ...row, link: row.link ?? before.find(({ id }) => id === row.id)?.link ?? null }))
          ))
    }))
  ],
  [
    "guests/asked",
    "does not store that a link was requested",
    breakPort(ConversationStore, (store) => ({ put: (rows) => store.put(rows.map((row) => ({ ...row, link: null }))) }))
  ],
  [
    "guests/erased",
    "keeps the form data of an erased guest",
    breakPort(BookingStore, (store) => ({
      update: (rows) =>
        Effect.flatMap(store.find(rows), (before) =>
          store.update(rows.map((row) => ({
            ...row,
            contact: row.contact ?? before.find(({ booking }) => booking.id === row.id)?.booking.contact ?? null
          }))))
    }))
  ],
  [
    "races/reports",
    "does not find a message by its bounce token",
    breakPort(MessageStore, () => ({ findByBounceToken: findNothing }))
  ]
]
