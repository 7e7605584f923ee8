import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { bookingEvents } from "../booking/bookingEvents.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { EventLog, type StoredEvent } from "../port/EventLog.ts"
import { orNotFound } from "../port/orNotFound.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import type { Conversation, ConversationStatus } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import type { ConversationRecord } from "./ConversationView.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import { loadAttachments, type SentMessage } from "./loadAttachments.ts"
import { MessageStore } from "./MessageStore.ts"

type NotFound = Refusal<"not_found">

export class Conversations extends Context.Tag("@trailbook/core/Conversations")<
  Conversations,
  {
    /** A page of the inbox as of `now`. */
    readonly list: (
      query: Parameters<ConversationStore["Type"]["list"]>[0]
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Adds the guest, last message, and booking to these conversations, in input order. */
    readonly records: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** A conversation with its newest messages and the newest events of the guest's bookings. */
    readonly get: (key: OrgKey, limit: number) => Effect.Effect<{
      readonly record: ConversationRecord
      /** Oldest first. */
      readonly messages: ReadonlyArray<SentMessage>
      readonly events: ReadonlyArray<StoredEvent>
    }, NotFound>
    readonly update: (key: OrgKey, change: {
      readonly status: ConversationStatus | undefined
      readonly read: boolean | undefined
      readonly snoozedUntil: Instant | null | undefined
    }) => Effect.Effect<ConversationRecord, NotFound | Refusal<"invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function*() {
      const attachments = yield* loadAttachments
      const bookings = yield* BookingStore
      const { decide } = yield* ConversationWriter
      const customers = yield* CustomerStore
      const log = yield* EventLog
      const messages = yield* MessageStore
      const store = yield* ConversationStore
      const { queryAll, run, snapshot } = yield* UnitOfWork

      /** The next upcoming or else the latest booking of each guest, by customer ID. */
      const bookingsOf = (conversations: ReadonlyArray<ConversationRecord["conversation"]>) =>
        Effect.flatMap(currentTime, (now) =>
          Effect.map(
            bookings.nextOf(guestsOf(conversations), now),
            (rows) => new Map(rows.map((row) => [row.booking.customerId, row]))
          ))

      const list = (query: Parameters<typeof store.list>[0]) =>
        Effect.gen(function*() {
          const listed = yield* store.list(query)
          const next = yield* bookingsOf(listed.map(({ conversation }) => conversation))
          return listed.map(({ conversation, customer, last }): ConversationRecord => ({
            conversation,
            customer,
            last,
            booking: next.get(conversation.customerId ?? "")
          }))
        })

      const records = (conversations: ReadonlyArray<Conversation>) =>
        Effect.gen(function*() {
          const lastKeys = conversations.flatMap(({ lastMessageId: id, orgId }) => id === null ? [] : [{ orgId, id }])
          const { guests, last, next } = yield* queryAll({
            guests: Effect.map(customers.find(guestsOf(conversations)), byId),
            last: Effect.map(messages.find(lastKeys), byId),
            next: bookingsOf(conversations)
          })
          return conversations.map((conversation): ConversationRecord => ({
            conversation,
            customer: guests.get(conversation.customerId ?? ""),
            last: last.get(conversation.lastMessageId ?? ""),
            booking: next.get(conversation.customerId ?? "")
          }))
        })

      const recordOf = (conversation: Conversation) =>
        Effect.flatMap(
          records([conversation]),
          ([record]) =>
            record === undefined
              ? Effect.dieMessage("Invariant violated: conversation without a record")
              : Effect.succeed(record)
        )

      return Conversations.of({
        records,
        // Listing is one query, so it is consistent without a snapshot. Searching takes several queries. A booking can
        // be slightly newer than the page.
        list: (query) => query.q === undefined ? list(query) : snapshot(list(query)),
        get: (key, limit) =>
          snapshot(Effect.gen(function*() {
            const conversation = yield* Effect.flatMap(store.find([key]), orNotFound("conversation", key.id))
            const { customerId, orgId } = conversation
            const events = customerId === null ? [] : yield* log.latestAbout(orgId, customerId, eventTypes, limit)
            const written = (yield* messages.latest(key, limit)).toReversed()
            return {
              record: yield* recordOf(conversation),
              messages: yield* attachments(written),
              events: events.toReversed()
            }
          })),
        update: (key, change) =>
          run(Effect.gen(function*() {
            const before = yield* Effect.flatMap(store.lock([key]), orNotFound("conversation", key.id))
            const at = yield* currentTime
            if (typeof change.snoozedUntil === "number" && change.snoozedUntil <= at) {
              return yield* invalid("snoozed_until: must be in the future")
            }
            const conversation = yield* decide(before, { _tag: "Mark", at, ...change })
            if (change.read === true) yield* messages.markRead(key, "to_outfitter", at)
            const record = yield* recordOf(conversation)
            yield* log.touch(key.orgId)
            return record
          }))
      })
    })
  )
}

const eventTypes = bookingEvents.map(({ type }) => type)

const guestsOf = (conversations: ReadonlyArray<ConversationRecord["conversation"]>): ReadonlyArray<OrgKey> =>
  conversations.flatMap(({ customerId: id, orgId }) => id === null ? [] : [{ orgId, id }])

const byId = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))
