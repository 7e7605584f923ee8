/**
 * An org's conversations. The inbox with its threads, and the outfitter's messages to individual guests.
 *
 * A message, its event, and its email task are written in one transaction. The email is sent after the commit. A
 * message cannot be about a hold, because holds have their own email, and it cannot go to an erased guest.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MessageAuthor } from "../actor/Actor.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { bookingEvents, type BookingRecord } from "../booking/BookingView.ts"
import { CustomerStore, getContactEmail } from "../customer/Customer.ts"
import { attachFiles } from "../file/Attachments.ts"
import { attachmentView, FileStore } from "../file/StoredFile.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog, type StoredEvent } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { type IdempotentRequest, makeIdempotentRunner } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { retryOnConflict, UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { type Conversation, type ConversationStatus, needsReply } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import type { ConversationRecord } from "./ConversationView.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import { findConversation, lockCustomer, makeLoadGuestContact } from "./findConversation.ts"
import { formatStartTime } from "./message/formatStartTime.ts"
import { formatReplySubject, type Message, type MessageKind, stripReplyPrefixes } from "./message/Message.ts"
import { MessageStore } from "./message/MessageStore.ts"
import {
  type AttachmentRef,
  makeLoadMessageAttachments,
  makeMessageEvent,
  type MessageWithAttachments
} from "./message/MessageView.ts"

/** A message's recipient. */
export type MessageRecipient =
  | { readonly conversationId: string }
  | { readonly bookingId: string }
  | { readonly customerId: string }

export interface SendMessageRequest {
  readonly orgId: string
  readonly to: MessageRecipient
  readonly body: string
  readonly subject: string
  readonly kind: MessageKind
  readonly sentBy: MessageAuthor
  readonly files: ReadonlyArray<AttachmentRef>
  /**
   * Returns the request's idempotency key, which depends on the message's thread, or undefined if the request has none.
   */
  readonly keyed: (thread: string) => IdempotentRequest | undefined
}

type Refusals = Refusal<
  "not_found" | "booking_held" | "customer_erased" | "idempotency_conflict" | "attachment_used"
>

export class StaffConversations extends Context.Tag("@trailbook/core/StaffConversations")<
  StaffConversations,
  {
    /** Returns a page of the inbox as of `now`. */
    readonly list: (
      query: Parameters<ConversationStore["Type"]["list"]>[0]
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Adds the guest, the last message, and the booking to these conversations. Keeps them in input order. */
    readonly records: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Returns a conversation with its newest messages and the newest events of the guest's bookings. */
    readonly get: (key: OrgKey, limit: number) => Effect.Effect<{
      readonly record: ConversationRecord
      /** The messages, oldest first. */
      readonly messages: ReadonlyArray<MessageWithAttachments>
      readonly events: ReadonlyArray<StoredEvent>
    }, Refusal<"not_found">>
    readonly update: (key: OrgKey, change: {
      readonly status: ConversationStatus | undefined
      readonly read: boolean | undefined
      readonly snoozedUntil: Instant.Instant | null | undefined
    }) => Effect.Effect<ConversationRecord, Refusal<"not_found" | "invalid_request">>
    readonly send: (send: SendMessageRequest) => Effect.Effect<MessageWithAttachments, Refusals>
    /** Returns a page of messages with their bookings, oldest first. */
    readonly listMessages: (query: Parameters<MessageStore["Type"]["list"]>[0]) => Effect.Effect<
      ReadonlyArray<MessageWithAttachments & { readonly booking: BookingRecord | undefined }>
    >
  }
>() {
  static readonly layer = Layer.effect(StaffConversations, Effect.suspend(() => makeStaffConversations))
}

const makeStaffConversations = Effect.gen(function*() {
  const withAttachments = yield* makeLoadMessageAttachments
  const bookings = yield* BookingStore
  const { decide, ofCustomer, addOutbound } = yield* ConversationWriter
  const customers = yield* CustomerStore
  const ids = yield* Ids
  const log = yield* EventLog
  const messages = yield* MessageStore
  const orgs = yield* OrgStore
  const store = yield* ConversationStore
  const tasks = yield* TaskStore
  const { queryAll, run, snapshot } = yield* UnitOfWork
  const attach = attachFiles(yield* FileStore)
  const { make } = yield* makeIdempotentRunner
  const find = findConversation(store)
  const loadGuestContact = yield* makeLoadGuestContact

  /** Returns each guest's next upcoming booking, or else the latest booking, keyed by customer ID. */
  const loadNextBookings = (conversations: ReadonlyArray<ConversationRecord["conversation"]>) =>
    Effect.flatMap(currentTime, (now) =>
      Effect.map(
        bookings.nextOf(guestKeysOf(conversations), now),
        (rows) => new Map(rows.map((row) => [row.booking.customerId, row]))
      ))

  const list = (query: Parameters<typeof store.list>[0]) =>
    Effect.gen(function*() {
      const rows = yield* store.list(query)
      const bookingsByCustomer = yield* loadNextBookings(rows.map(({ conversation }) => conversation))
      return rows.map((row) => ({ booking: bookingsByCustomer.get(row.conversation.customerId ?? ""), ...row }))
    })

  const records = (conversations: ReadonlyArray<Conversation>) =>
    Effect.gen(function*() {
      const lastKeys = conversations.flatMap(({ lastMessageId: id, orgId }) => id === null ? [] : [{ orgId, id }])
      const { bookingsByCustomer, customersById, messagesById } = yield* queryAll({
        customersById: Effect.map(customers.find(guestKeysOf(conversations)), indexById),
        messagesById: Effect.map(messages.find(lastKeys), indexById),
        bookingsByCustomer: loadNextBookings(conversations)
      })
      return conversations.map((conversation): ConversationRecord => ({
        conversation,
        customer: customersById.get(conversation.customerId ?? ""),
        last: messagesById.get(conversation.lastMessageId ?? ""),
        booking: bookingsByCustomer.get(conversation.customerId ?? "")
      }))
    })

  const loadRecord = (conversation: Conversation) => Effect.orDie(Effect.head(records([conversation])))

  /** Resolves the recipient's thread before taking any lock. */
  const resolveAddressee = (orgId: string, to: MessageRecipient): Effect.Effect<ResolvedAddressee, Refusals> =>
    Effect.gen(function*() {
      if ("customerId" in to) return { threadId: to.customerId, isGuest: true }
      if ("bookingId" in to) {
        const { bookingId: id } = to
        const record = yield* Effect.flatMap(bookings.find([{ orgId, id }]), failIfNotFound("booking", id))
        if (record.booking.status === "held") return yield* refuse("booking_held", heldBookingText)
        return { threadId: record.booking.customerId, isGuest: true, record }
      }
      const { customerId, id } = yield* find({ orgId, id: to.conversationId })
      return { threadId: customerId ?? id, isGuest: customerId !== null }
    })

  const lockGuestConversation = (orgId: string, id: string): Effect.Effect<Conversation, Refusals> =>
    Effect.flatMap(lockCustomer(customers, { orgId, id }), ofCustomer)

  const lockConversation = (
    orgId: string,
    { isGuest, threadId: id }: ResolvedAddressee
  ): Effect.Effect<Conversation, Refusals> =>
    Effect.gen(function*() {
      if (isGuest) return yield* lockGuestConversation(orgId, id)
      const existing = yield* find({ orgId, id })
      // The sender has become a customer, who must be locked before the conversation.
      if (existing.customerId !== null) return yield* lockGuestConversation(orgId, existing.customerId)
      const [question] = yield* store.lock([existing])
      // The person became a customer in the meantime. Dying restarts the transaction, which then finds the
      // customer.
      if (question === undefined || question.customerId !== null || question.movedTo !== null) {
        return yield* Effect.dieMessage(`Conversation ${existing.id} was concurrently assigned to a customer.`)
      }
      return question.fromEmail === "" ? yield* refuse("customer_erased") : question
    })

  const send = (
    { body, files, kind, orgId, sentBy, subject, to }: SendMessageRequest,
    target: ResolvedAddressee,
    id: string
  ) =>
    Effect.gen(function*() {
      const conversation = yield* lockConversation(orgId, target)
      const isMailed = getContactEmail(yield* loadGuestContact(conversation)) !== ""
      const org = yield* Effect.flatMap(orgs.find(orgId), failIfNotFound("org", orgId))
      const { record } = target
      const rows = yield* addOutbound([{
        conversation,
        id,
        body,
        subject: kind === "note" ? subject : subject || makeSubject(conversation, to, record, org),
        kind,
        sentBy,
        bookingId: record?.booking.id ?? null,
        channel: channelOf(kind, sentBy, isMailed)
      }])
      const attachmentRows = yield* attach(orgId, files, id)
      // A note has no event, but it appears in the thread, so open pages are notified.
      if (kind === "note") return yield* log.touch(orgId)
      const dueAt = yield* currentTime
      if (isMailed) {
        yield* tasks.add([Task.make({ id: ids.uuid(), orgId, kind: "mail.message", subjectId: id, dueAt })])
      }
      yield* log.append(rows.map((row) => makeMessageEvent(row, attachmentRows.map(attachmentView))))
    })

  const loadSentMessage = (orgId: string, id: string) =>
    Effect.orDie(Effect.head(Effect.flatMap(messages.find([{ orgId, id }]), withAttachments)))

  return StaffConversations.of({
    records,
    // A list is one query, so it is consistent without a snapshot. A search takes several queries, so it needs a
    // snapshot. The bookings in a list can be slightly newer than the conversations.
    list: (query) => query.q === undefined ? list(query) : snapshot(list(query)),
    get: (key, limit) =>
      snapshot(Effect.gen(function*() {
        const conversation = yield* Effect.flatMap(store.find([key]), failIfNotFound("conversation", key.id))
        const { customerId, orgId } = conversation
        const events = customerId === null ? [] : yield* log.latestAbout(orgId, customerId, eventTypes, limit)
        const rows = (yield* messages.latest(key, limit)).toReversed()
        return {
          record: yield* loadRecord(conversation),
          messages: yield* withAttachments(rows),
          events: events.toReversed()
        }
      })),
    update: (key, change) =>
      run(Effect.gen(function*() {
        const before = yield* Effect.flatMap(store.lock([key]), failIfNotFound("conversation", key.id))
        const at = yield* currentTime
        if (typeof change.snoozedUntil === "number" && change.snoozedUntil <= at) {
          return yield* invalid("snoozed_until: must be in the future")
        }
        const conversation = yield* decide(before, { _tag: "Mark", at, ...change })
        if (change.read === true) yield* messages.markRead(key, "to_outfitter", at)
        const record = yield* loadRecord(conversation)
        yield* log.touch(key.orgId)
        return record
      })),
    send: (request) =>
      Effect.gen(function*() {
        const { keyed, orgId, to } = request
        const target = yield* resolveAddressee(orgId, to)
        const id = ids.uuid()
        return yield* retryOnConflict(make(keyed(target.threadId), {
          createdIds: [id],
          make: Effect.flatMap(send(request, target, id), () => loadSentMessage(orgId, id)),
          replay: (original) =>
            Effect.gen(function*() {
              const result = yield* loadSentMessage(orgId, original.made.join())
              const endsAt = Instant.addMinutes(result.message.createdAt, duplicateWindowMinutes)
              return { isObsolete: (yield* currentTime) > endsAt, result: Effect.succeed(result) }
            })
        }))
      }),
    listMessages: (query) =>
      snapshot(Effect.gen(function*() {
        const rows = yield* messages.list(query)
        const keys = rows.flatMap(({ bookingId: id, orgId }) => id === null ? [] : [{ orgId, id }])
        const bookingsById = new Map((yield* bookings.find(keys)).map((record) => [record.booking.id, record]))
        return (yield* withAttachments(rows)).map((row) => ({
          ...row,
          booking: bookingsById.get(row.message.bookingId ?? "")
        }))
      }))
  })
})

interface ResolvedAddressee {
  /** The customer's ID, or the conversation's ID if there is no customer. */
  readonly threadId: string
  readonly isGuest: boolean
  readonly record?: BookingRecord
}

const heldBookingText =
  "A message cannot refer to a hold. Confirm the booking first, or send the message without a booking."

/** If an assistant sends the same text to the same thread twice within this time, only one message is sent. */
const duplicateWindowMinutes = 10

/**
 * Returns the subject for an email if the outfitter did not set one. A message to a conversation, or to a guest who
 * wrote last, is a reply.
 */
const makeSubject = (
  conversation: Conversation,
  to: MessageRecipient,
  record: BookingRecord | undefined,
  { name, timezone }: Org
): string => {
  const isReply = conversation.guestAt !== null && ("conversationId" in to || needsReply(conversation))
  if (isReply) return formatReplySubject(conversation)
  return stripReplyPrefixes(
    record === undefined
      ? `A message from ${name}`
      : `${record.offering.name}, ${formatStartTime(record.booking.startsAt, timezone)}`
  )
}

/** Returns a message's channel. A message to a guest without an email address appears only on the guest page. */
const channelOf = (kind: MessageKind, sentBy: MessageAuthor, isMailed: boolean): Message["channel"] => {
  if (kind === "note") return sentBy === "dashboard" ? "page" : "api"
  return sentBy === "agent" ? "system" : isMailed ? "email" : "page"
}

const eventTypes = bookingEvents.map(({ type }) => type)

const guestKeysOf = (conversations: ReadonlyArray<ConversationRecord["conversation"]>): ReadonlyArray<OrgKey> =>
  conversations.flatMap(({ customerId: id, orgId }) => id === null ? [] : [{ orgId, id }])

const indexById = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))
