/**
 * Messages of the outfitter to one guest, and the list of messages.
 *
 * A message, its event, and the task that emails it are written in one transaction. The email is sent after the commit.
 * A message cannot be about a hold, because holds have their own email, and cannot go to an erased guest.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Writer } from "../actor/attribution.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Customer } from "../customer/Customer.ts"
import { customerErased } from "../customer/CustomerDecider.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { attachFiles } from "../file/attachFiles.ts"
import { type AttachmentView, attachmentView } from "../file/AttachmentView.ts"
import { FileStore } from "../file/FileStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { type KeyedRequest, makeIdempotent } from "../port/idempotent.ts"
import { Ids } from "../port/Ids.ts"
import { orNotFound } from "../port/orNotFound.ts"
import { retryOnConflict } from "../port/retryOnConflict.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { type Conversation, needsReply } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import { followMerge } from "./followMerge.ts"
import { formatStartTime } from "./formatStartTime.ts"
import { type AttachmentRef, loadAttachments, type SentMessage } from "./loadAttachments.ts"
import type { Message, MessageKind } from "./Message.ts"
import type { messageEvents } from "./messageEvents.ts"
import { MessageStore } from "./MessageStore.ts"
import { messageView } from "./MessageView.ts"
import { replySubject, stripReplyPrefixes } from "./subjects.ts"

/** The recipient of a message. */
export type Addressee =
  | { readonly conversationId: string }
  | { readonly bookingId: string }
  | { readonly customerId: string }

export interface Send {
  readonly orgId: string
  readonly to: Addressee
  readonly body: string
  readonly subject: string
  readonly kind: MessageKind
  readonly sentBy: Writer
  readonly files: ReadonlyArray<AttachmentRef>
  /** The idempotency key of a repeatable request, built from the thread of the message. */
  readonly keyed: (thread: string) => KeyedRequest | undefined
}

type Refusals = Refusal<
  "not_found" | "booking_held" | "customer_erased" | "idempotency_conflict" | "attachment_used"
>

export class Messages extends Context.Tag("@trailbook/core/Messages")<
  Messages,
  {
    readonly send: (send: Send) => Effect.Effect<SentMessage, Refusals>
    /** A page of messages with their bookings, oldest first. */
    readonly list: (query: Parameters<MessageStore["Type"]["list"]>[0]) => Effect.Effect<
      ReadonlyArray<SentMessage & { readonly booking: BookingRecord | undefined }>
    >
  }
>() {
  static readonly layer = Layer.effect(
    Messages,
    Effect.gen(function*() {
      const attachments = yield* loadAttachments
      const bookings = yield* BookingStore
      const conversations = yield* ConversationStore
      const correspondence = yield* ConversationWriter
      const customers = yield* CustomerStore
      const ids = yield* Ids
      const log = yield* EventLog
      const messages = yield* MessageStore
      const orgs = yield* OrgStore
      const tasks = yield* TaskStore
      const { snapshot } = yield* UnitOfWork
      const use = attachFiles(yield* FileStore)
      const { make } = yield* makeIdempotent
      const follow = followMerge(conversations)

      /** Resolves the thread of the recipient, before any lock is taken. */
      const lookUp = (orgId: string, to: Addressee): Effect.Effect<Found, Refusals> =>
        Effect.gen(function*() {
          if ("customerId" in to) return { thread: to.customerId, customerId: to.customerId }
          if ("bookingId" in to) {
            const [record] = yield* bookings.find([{ orgId, id: to.bookingId }])
            if (record === undefined) return yield* notFound("booking", to.bookingId)
            if (record.booking.status === "held") return yield* refuse("booking_held", aboutHold)
            return { thread: record.booking.customerId, customerId: record.booking.customerId, record }
          }
          const conversation = yield* follow({ orgId, id: to.conversationId })
          if (conversation === undefined) return yield* notFound("conversation", to.conversationId)
          const { customerId, id } = conversation
          return customerId === null
            ? { thread: id, conversation: { orgId, id } }
            : { thread: customerId, customerId }
        })

      const customerOf = (orgId: string, id: string): Effect.Effect<Customer, Refusals> =>
        Effect.gen(function*() {
          const customer = yield* Effect.flatMap(customers.lock([{ orgId, id }]), orNotFound("customer", id))
          return customer.erasedAt === null ? customer : yield* customerErased()
        })

      const threadOf = (orgId: string, target: Found): Effect.Effect<Conversation, Refusals> =>
        Effect.gen(function*() {
          if ("customerId" in target) {
            return yield* correspondence.ofCustomer(yield* customerOf(orgId, target.customerId))
          }
          const asked = yield* follow(target.conversation)
          if (asked === undefined) return yield* notFound("conversation", target.conversation.id)
          // The person who asked has become a customer, who is locked before the conversation.
          if (asked.customerId !== null) {
            return yield* correspondence.ofCustomer(yield* customerOf(orgId, asked.customerId))
          }
          const [question] = yield* conversations.lock([asked])
          // The person became a customer concurrently. Dying restarts the transaction, which then finds the customer.
          if (question === undefined || question.customerId !== null || question.movedTo !== null) {
            return yield* Effect.dieMessage(`Conversation ${asked.id} was assigned to a customer concurrently.`)
          }
          return question.fromEmail === "" ? yield* customerErased() : question
        })

      const send = ({ body, files, kind, orgId, sentBy, subject, to }: Send, target: Found, id: string) =>
        Effect.gen(function*() {
          const conversation = yield* threadOf(orgId, target)
          const org = yield* Effect.flatMap(orgs.find(orgId), orNotFound("org", orgId))
          const record = "record" in target ? target.record : undefined
          const written = yield* correspondence.say([{
            conversation,
            id,
            body,
            subject: kind === "note" ? subject : subject || subjectFor(conversation, to, record, org),
            kind,
            sentBy,
            bookingId: record?.booking.id ?? null,
            channel: channelOf(kind, sentBy)
          }])
          const used = yield* use(orgId, files, id)
          if (kind === "message") {
            const dueAt = yield* currentTime
            yield* tasks.add([Task.make({ id: ids.uuid(), orgId, kind: "mail.message", subjectId: id, dueAt })])
          }
          const told = written.filter(({ kind }) => kind === "message")
          // A note has no event, but it appears in the thread, so open pages are notified.
          yield* told.length === 0
            ? log.touch(orgId)
            : log.append(told.map((row) => messageEvent(row, used.map(attachmentView))))
        })

      const isOver = ({ createdAt }: Message, now: Instant.Instant) =>
        now > Instant.addMinutes(createdAt, sameForMinutes)

      const sentWith = (orgId: string, id: string) =>
        Effect.flatMap(
          Effect.flatMap(messages.find([{ orgId, id }]), attachments),
          ([sent]) =>
            sent === undefined
              ? Effect.dieMessage("Invariant violated: message not found after it was stored")
              : Effect.succeed(sent)
        )

      return Messages.of({
        send: (given) =>
          Effect.gen(function*() {
            const { keyed, orgId, to } = given
            const target = yield* lookUp(orgId, to)
            const id = ids.uuid()
            const made = yield* retryOnConflict(make(keyed(target.thread), {
              made: [id],
              make: Effect.flatMap(send(given, target, id), () => sentWith(orgId, id)),
              again: (kept) =>
                Effect.gen(function*() {
                  const sent = yield* sentWith(orgId, kept.made.join())
                  return { over: isOver(sent.message, yield* currentTime), answer: Effect.succeed(sent) }
                })
            }))
            return made
          }),
        list: (query) =>
          snapshot(Effect.gen(function*() {
            const rows = yield* messages.list(query)
            const keys = rows.flatMap(({ bookingId: id, orgId }) => id === null ? [] : [{ orgId, id }])
            const about = new Map((yield* bookings.find(keys)).map((record) => [record.booking.id, record]))
            return (yield* attachments(rows)).map((sent) => ({
              ...sent,
              booking: about.get(sent.message.bookingId ?? "")
            }))
          }))
      })
    })
  )
}

/** A thread is identified by its customer or, without one, by its conversation. */
type Found =
  | { readonly thread: string; readonly customerId: string; readonly record?: BookingRecord }
  | { readonly thread: string; readonly conversation: OrgKey }

const aboutHold =
  "A message cannot refer to a hold. Confirm the booking first, or write to the guest without a booking."

/** An assistant that sends the same text to the same thread within this time sends one message. */
const sameForMinutes = 10

/** The subject of an email without its own. A message to a conversation, or to a guest who wrote last, is a reply. */
const subjectFor = (
  conversation: Conversation,
  to: Addressee,
  record: BookingRecord | undefined,
  { name, timezone }: Org
): string => {
  const isAnswer = conversation.guestAt !== null && ("conversationId" in to || needsReply(conversation))
  if (isAnswer) return replySubject(conversation)
  return stripReplyPrefixes(
    record === undefined
      ? `A message from ${name}`
      : `${record.offering.name}, ${formatStartTime(record.booking.startsAt, timezone)}`
  )
}

const channelOf = (kind: MessageKind, sentBy: Writer): Message["channel"] => {
  if (kind === "note") return sentBy === "dashboard" ? "page" : "api"
  return sentBy === "agent" ? "system" : "email"
}

/** The event for a written message. */
export const messageEvent = (
  message: Message,
  attachments: ReadonlyArray<AttachmentView> = []
): Extract<Event.EventPayload<typeof messageEvents>, { readonly type: "message.sent" | "message.received" }> => ({
  orgId: message.orgId,
  type: message.direction === "to_guest" ? "message.sent" : "message.received",
  data: messageView(message, attachments),
  person: message.customerId ?? message.conversationId,
  createdAt: message.createdAt
})
