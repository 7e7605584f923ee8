/** For each law of conversations, messages, and saved replies, a storage that breaks it in a plausible way. */
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { BroadcastStore } from "@trailbook/core/conversation/BroadcastStore"
import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { DraftStore } from "@trailbook/core/conversation/DraftStore"
import { MessageStore } from "@trailbook/core/conversation/MessageStore"
import { SavedReplyStore } from "@trailbook/core/conversation/SavedReplyStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { FileStore } from "@trailbook/core/file/FileStore"
import type { StoredFile } from "@trailbook/core/file/StoredFile"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./broken.ts"

const nothing = () => Effect.succeed(Option.none())

const forgetful = (store: BookingStore["Type"]): Partial<BookingStore["Type"]> => ({
  put: (rows) => store.put(rows.map((row) => ({ ...row, contact: null })))
})

const unused = (file: StoredFile): StoredFile => ({ ...file, messageId: null })

/** Splits words like a database tokenizer: ignores case but keeps accents. */
const ownWords = (text: string): ReadonlyArray<string> => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)

export const messageControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "conversations/find",
    "a snooze is not stored",
    broken(ConversationStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, snoozedUntil: null })))
    }))
  ],
  [
    "conversations/put",
    "what is erased stays as it was",
    broken(ConversationStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "conversations/unique",
    "a second one is taken in silence",
    broken(ConversationStore, (store) => ({ put: swallowed(store.put) }))
  ],
  [
    "conversations/list",
    "the newest come first, whoever waits for a reply",
    broken(ConversationStore, (store) => ({
      list: (query) =>
        Effect.map(
          store.list({ ...query, limit: 1000 }),
          (rows) => rows.toSorted((a, b) => b.conversation.lastAt - a.conversation.lastAt).slice(0, query.limit)
        )
    }))
  ],
  [
    "conversations/search-crowd",
    "a search goes through the first thousand",
    broken(ConversationStore, (store) => ({
      list: ({ limit, ...query }) =>
        Effect.gen(function*() {
          const seen = new Set(
            (yield* store.list({ ...query, q: undefined, limit: 1000 })).map(({ conversation }) => conversation.id)
          )
          return (yield* store.list({ ...query, limit })).filter(({ conversation }) => seen.has(conversation.id))
        })
    }))
  ],
  [
    "conversations/pages",
    "a page goes on behind the moment, whatever the id",
    broken(ConversationStore, (store) => ({
      list: ({ after, ...query }) =>
        store.list({ ...query, after: after === undefined ? undefined : { ...after, id: "" } })
    }))
  ],
  [
    "conversations/search",
    "the database's own words are looked for",
    broken(ConversationStore, (store) => ({
      list: ({ q, ...query }) =>
        q === undefined ? store.list({ ...query, q }) : Effect.map(
          store.list({ ...query, q }),
          (rows) => rows.filter(() => ownWords(q).join("") === q.normalize("NFKD").toLowerCase())
        )
    }))
  ],
  [
    "conversations/all",
    "those that nobody has written in are left out",
    broken(ConversationStore, (store) => ({
      all: (...query) => Effect.map(store.all(...query), (rows) => rows.filter(({ lastBy }) => lastBy !== null))
    }))
  ],
  [
    "messages/find",
    "a mail that became a message is not known again",
    broken(MessageStore, () => ({ findByMailKey: nothing }))
  ],
  [
    "messages/unreached",
    "a delivered reminder hides the message that failed before it",
    broken(MessageStore, (store) => ({
      unreached: (query) =>
        Effect.map(store.unreached(query), (found) => found.filter(({ failure }) => failure === null))
    }))
  ],
  [
    "messages/list",
    "the newest of a conversation are the oldest",
    broken(MessageStore, (store) => ({
      latest: (...query) => Effect.map(store.latest(...query), (rows) => rows.toReversed())
    }))
  ],
  [
    "messages/read",
    "what was read before is read again",
    broken(MessageStore, (store) => ({
      markRead: (conversation, direction, at) =>
        Effect.flatMap(
          store.latest(conversation, 1000),
          (rows) => store.put(rows.filter((row) => row.direction === direction).map((row) => ({ ...row, readAt: at })))
        )
    }))
  ],
  ["messages/move", "nothing moves", broken(MessageStore, () => ({ move: () => Effect.void }))],
  ["messages/erase", "what is erased stays as it was", broken(MessageStore, () => ({ erase: () => Effect.void }))],
  [
    "messages/unique",
    "a second message of a mail is taken in silence",
    broken(MessageStore, (store) => ({ put: swallowed(store.put) }))
  ],
  [
    "messages/unique",
    "a broadcast is not unique to its guests",
    broken(MessageStore, (store) => ({
      put: (rows) =>
        Effect.catchAllDefect(store.put(rows), () => store.put(rows.map((row) => ({ ...row, broadcastId: null }))))
    }))
  ],
  [
    "races/broadcast",
    "the same words are not known again",
    broken(BroadcastStore, (store) => ({
      lockByKey: nothing,
      put: (row) => store.put({ ...row, key: row.id })
    }))
  ],
  [
    "saved-replies/rows",
    "what is removed stays",
    broken(SavedReplyStore, () => ({ remove: () => Effect.void }))
  ],

  ["drafts/counted", "what is removed stays", broken(DraftStore, () => ({ remove: () => Effect.void }))],
  ["drafts/counted", "what is of long ago is counted", broken(DraftStore, () => ({ forget: () => Effect.void }))],
  ["races/drafts", "units of work run at the same time", Memory.layerUnguarded],
  ["races/drafts", "nothing is kept of what is asked for", broken(DraftStore, () => ({ add: () => Effect.void }))],
  ["races/drafts", "a place is not given back", broken(DraftStore, () => ({ remove: () => Effect.void }))],
  [
    "races/drafted-words",
    "events are not rewritten",
    broken(EventLog, () => ({ rewrite: () => Effect.void }))
  ],
  [
    "races/obedient",
    "drafts are not told of",
    broken(EventLog, (log) => ({
      append: (events) => log.append(events.filter(({ type }) => type !== "message.drafted"))
    }))
  ],

  ["races/mails", "mails of one key are not known again", broken(MessageStore, () => ({ findByMailKey: nothing }))],
  ["races/mails", "units of work run at the same time", Memory.layerUnguarded],
  [
    "races/strangers",
    "another guest's address is read",
    broken(CustomerStore, (store) => ({
      find: (keys) => Effect.map(store.find(keys), (rows) => rows.map((row) => ({ ...row, email: "bob@a.co" })))
    }))
  ],
  [
    "races/same-message",
    "keys are not kept",
    broken(RequestKeys, () => ({ find: nothing, bind: () => Effect.void }))
  ],
  [
    "races/first-message",
    "the conversation of a guest is not found",
    broken(ConversationStore, () => ({ findByCustomer: () => Effect.succeed([]) }))
  ],
  [
    "races/question",
    "messages stay where they were said",
    broken(MessageStore, () => ({ move: () => Effect.void }))
  ],
  [
    "races/taken-in",
    "where a question went is not kept",
    broken(ConversationStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, movedTo: null })))
    }))
  ],
  [
    "races/erased-words",
    "messages are not erased",
    broken(MessageStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "races/erased-proposal",
    "proposals that wait are not looked at",
    broken(
      ProposalStore,
      (store) => ({ list: (query) => query.status === "pending" ? Effect.succeed([]) : store.list(query) })
    )
  ],
  [
    "races/erased-question",
    "messages are not erased",
    broken(MessageStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "races/erased-question",
    "who asked is not erased",
    broken(ConversationStore, () => ({ erase: () => Effect.void }))
  ],
  [
    "races/broadcast",
    "how far it has come is not kept",
    broken(BroadcastStore, (store) => ({
      put: (row) => store.put({ ...row, after: "", doneAt: null, sent: 0, skipped: 0, failed: 0 })
    }))
  ],
  [
    "broadcasts/guests",
    "every page begins at the first booking",
    broken(BroadcastStore, (store) => ({ booked: (query) => store.booked({ ...query, after: undefined }) }))
  ],
  [
    "broadcasts/guests",
    "it is for all guests, whoever is asked about",
    broken(BroadcastStore, (store) => ({
      guests: ({ orgId, target }) =>
        Effect.flatMap(
          store.booked({ orgId, target, after: undefined, limit: 1000 }),
          (booked) => store.guests({ orgId, target, among: booked.map(({ customerId }) => customerId) })
        )
    }))
  ],
  [
    "guests/bound",
    "what a message is about is not kept",
    broken(MessageStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, bookingId: null })))
    }))
  ],
  ["guests/bound", "what was typed is not kept", broken(BookingStore, forgetful)],
  [
    "guests/files",
    "a file belongs to no message",
    broken(FileStore, (store) => ({ find: (key) => Effect.map(store.find(key), Option.map(unused)) }))
  ],
  [
    "guests/changes",
    "what the outfitter lets guests do is not kept",
    broken(OrgStore, (store) => ({ put: (org) => store.put({ ...org, guestChangesHours: null }) }))
  ],
  [
    "guests/holds",
    "a booking that moves is in its own way",
    broken(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map(({ except: _except, ...query }) => query))
    }))
  ],
  ["guests/twice", "no form is known again", broken(MessageStore, () => ({ findByMailKey: nothing }))],
  ["guests/link", "units of work run at the same time", Memory.layerUnguarded],
  [
    "guests/link",
    "a link that was spent stays",
    broken(ConversationStore, (store) => ({
      put: (rows) =>
        Effect.flatMap(store.find(rows), (before) =>
          store.put(
            rows.map((row) => ({ ...row, link: row.link ?? before.find(({ id }) => id === row.id)?.link ?? null }))
          ))
    }))
  ],
  [
    "guests/asked",
    "nobody remembers that one was asked for",
    broken(ConversationStore, (store) => ({ put: (rows) => store.put(rows.map((row) => ({ ...row, link: null }))) }))
  ],
  [
    "guests/erased",
    "what was typed stays",
    broken(BookingStore, (store) => ({
      put: (rows) =>
        Effect.flatMap(store.find(rows), (before) =>
          store.put(rows.map((row) => ({
            ...row,
            contact: row.contact ?? before.find(({ booking }) => booking.id === row.id)?.booking.contact ?? null
          }))))
    }))
  ],
  [
    "races/reports",
    "no token leads to its message",
    broken(MessageStore, () => ({ findByBounceToken: nothing }))
  ]
]
