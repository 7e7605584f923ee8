/**
 * The conversation on the guest's pages. Provides the messages that a page shows, and stores the messages that a guest
 * writes there.
 *
 * A handle proves access to a booking but not to an email address, because people can book with someone else's address.
 * The page therefore shows only the messages about that booking. The entire conversation is shown only in a browser
 * that opened a link from an email to the guest's address.
 *
 * A link works once, within 15 minutes, and only with a POST request, because mail scanners open links with GET. The
 * resulting secret is valid for an hour. The conversation stores only digests. A conversation has at most one link and
 * one secret at a time, and a new one replaces the previous one.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isEqualDigest } from "../actor/ApiKey.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { type BookingRecord, getGuestName } from "../booking/BookingView.ts"
import { type Customer, CustomerStore, getContactEmail } from "../customer/Customer.ts"
import { FileStore, type StoredFile } from "../file/StoredFile.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { type IdempotentRequest, makeIdempotentRunner } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { retryOnConflict, UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import type { Conversation, ExpiringSecret } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import { lockCustomer } from "./findConversation.ts"
import type { Message } from "./message/Message.ts"
import { MessageStore } from "./message/MessageStore.ts"
import { type AttachmentRef, makeLoadMessageAttachments, type MessageWithAttachments } from "./message/MessageView.ts"

/** The newest messages in the conversation, or only the newest messages about the booking. */
export interface GuestThread {
  /** The messages, oldest first, without notes. */
  readonly messages: ReadonlyArray<MessageWithAttachments>
  readonly isWhole: boolean
}

/** A question asked before booking, as submitted with the form. */
export interface GuestQuestion {
  readonly orgId: string
  /** The sender. The email address is in lowercase. */
  readonly from: Pick<Customer, "name" | "email">
  readonly body: string
}

/** The maximum number of messages to read from a conversation. */
export const maxThreadMessages = 500

/** How long an emailed link is valid, in minutes. */
export const guestLinkLifetimeMinutes = 15

/** How long the page shows the entire conversation after a link is opened, in minutes. */
export const threadAccessLifetimeMinutes = 60

/** The minimum time between two emailed links, in minutes. */
const minLinkIntervalMinutes = 3

type LockGuestRefusal = Refusal<"not_found" | "customer_erased">

export class GuestConversations extends Context.Tag("@trailbook/core/GuestConversations")<
  GuestConversations,
  {
    /** Returns the messages to show on a booking's page. With the secret from an opened link, returns all messages. */
    readonly getThread: (
      booking: OrgKey,
      secret: string | undefined
    ) => Effect.Effect<GuestThread, Refusal<"not_found">>
    /** Returns a file in a message that the page shows. */
    readonly file: (
      booking: OrgKey,
      id: string,
      secret: string | undefined
    ) => Effect.Effect<StoredFile, Refusal<"not_found">>
    /** Marks the messages on the page as read by the guest. */
    readonly read: (booking: OrgKey, secret: string | undefined) => Effect.Effect<void, Refusal<"not_found">>
    /** Emails a link to the guest, unless a link was sent within the last 3 minutes. */
    readonly requestLink: (booking: OrgKey) => Effect.Effect<void, LockGuestRefusal>
    /** Creates a link's secret immediately before the link is emailed. Returns `None` if the guest was erased. */
    readonly link: (booking: OrgKey) => Effect.Effect<Option.Option<string>>
    /** Redeems a link and returns the secret that gives access to the entire conversation. */
    readonly open: (booking: OrgKey, link: string) => Effect.Effect<string, Refusal<"not_found" | "unauthorized">>
    /**
     * Stores a message from a booking page. The message's files must already be stored. If the form is submitted again
     * with the same `key`, the same message is returned.
     */
    readonly write: (booking: OrgKey, message: {
      readonly body: string
      readonly key?: string | undefined
      readonly files?: ReadonlyArray<AttachmentRef> | undefined
    }) => Effect.Effect<Message, Refusal<"not_found" | "customer_erased" | "attachment_used">>
    /** Returns whether the form with this key has been stored as a message. */
    readonly isSent: (booking: OrgKey, key: string) => Effect.Effect<boolean>
    /**
     * Stores a question. If a guest has this email address, the question is added to that guest's conversation.
     * Otherwise, the question starts or continues a conversation that is merged when the person books. Repeating an
     * idempotency key does not store a second message.
     */
    readonly ask: (
      question: GuestQuestion,
      request?: IdempotentRequest
    ) => Effect.Effect<Message, Refusal<"not_found" | "idempotency_conflict">>
  }
>() {
  static readonly layer = Layer.effect(GuestConversations, Effect.suspend(() => makeGuestConversations))
}

const makeGuestConversations = Effect.gen(function*() {
  const withAttachments = yield* makeLoadMessageAttachments
  const bookings = yield* BookingStore
  const { decide, addInbound, ofCustomer, ofStranger } = yield* ConversationWriter
  const customers = yield* CustomerStore
  const files = yield* FileStore
  const ids = yield* Ids
  const log = yield* EventLog
  const { make } = yield* makeIdempotentRunner
  const messages = yield* MessageStore
  const orgs = yield* OrgStore
  const store = yield* ConversationStore
  const tasks = yield* TaskStore
  const { run, snapshot } = yield* UnitOfWork

  const loadRecord = (key: OrgKey) => Effect.flatMap(bookings.find([key]), failIfNotFound("booking", key.id))

  const isValidPass = (pass: ExpiringSecret | null, secret: string | undefined, now: Instant.Instant): boolean =>
    pass !== null && secret !== undefined && pass.until > now && isEqualDigest(pass.digest, ids.digest(secret))

  const loadForGuest = (key: OrgKey, secret: string | undefined) =>
    Effect.gen(function*() {
      const { booking: { customerId, id, orgId } } = yield* loadRecord(key)
      const [conversation] = yield* store.findByCustomer([{ orgId, id: customerId }])
      if (conversation === undefined) return { conversation, messages: [], isWhole: false }
      const isWhole = isValidPass(conversation.pass, secret, yield* currentTime)
      const latestMessages = yield* messages.latest(conversation, maxThreadMessages)
      const visibleMessages = latestMessages.filter(({ bookingId, kind }) =>
        kind === "message" && (isWhole || bookingId === id)
      )
      return { conversation, messages: visibleMessages.toReversed(), isWhole }
    })

  const lockGuestOf = (
    { booking: { customerId: id, orgId } }: BookingRecord
  ): Effect.Effect<Customer, LockGuestRefusal> => lockCustomer(customers, { orgId, id })

  const lockConversation = (key: OrgKey) => Effect.flatMap(Effect.flatMap(loadRecord(key), lockGuestOf), ofCustomer)

  const mailKeyOf = ({ id }: OrgKey, key: string): string => `page ${id} ${key}`

  const linkConversation = (conversation: Conversation, digest: string) =>
    Effect.flatMap(currentTime, (now) =>
      decide(conversation, {
        _tag: "MailLink",
        link: { digest, until: Instant.addMinutes(now, guestLinkLifetimeMinutes) }
      }))

  return GuestConversations.of({
    getThread: (key, secret) =>
      snapshot(Effect.gen(function*() {
        const { isWhole, messages } = yield* loadForGuest(key, secret)
        return { isWhole, messages: yield* withAttachments(messages) }
      })),
    file: (key, id, secret) =>
      Effect.gen(function*() {
        const file = Option.getOrUndefined(yield* files.find({ orgId: key.orgId, id }))
        const { messages } = yield* loadForGuest(key, secret)
        return file === undefined || !messages.some((message) => message.id === file.messageId)
          ? yield* notFound("attachment", id)
          : file
      }),
    read: (key, secret) =>
      Effect.gen(function*() {
        const view = yield* loadForGuest(key, secret)
        const unread = view.messages.filter(isUnread)
        if (view.conversation === undefined || unread.length === 0) return
        const { id, orgId } = view.conversation
        yield* run(Effect.gen(function*() {
          const [conversation] = yield* store.lock([{ orgId, id }])
          if (conversation === undefined) return
          const at = yield* currentTime
          const rows = yield* messages.find(unread.map((row) => ({ orgId, id: row.id })))
          yield* messages.put(rows.filter(isUnread).map((row) => ({ ...row, readAt: at })))
          if (view.isWhole) yield* decide(conversation, { _tag: "GuestRead", at })
          yield* log.touch(orgId)
        }))
      }),
    requestLink: (key) =>
      retryOnConflict(run(Effect.gen(function*() {
        const conversation = yield* lockConversation(key)
        const now = yield* currentTime
        const { link } = conversation
        if (
          link !== null && link.until > Instant.addMinutes(now, guestLinkLifetimeMinutes - minLinkIntervalMinutes)
        ) return
        // Store a placeholder. The real secret is created when the email is sent, so that no task contains it.
        yield* linkConversation(conversation, ids.digest(ids.token(secretLength)))
        yield* tasks.add([
          Task.make({ id: ids.uuid(), orgId: key.orgId, kind: "mail.link", subjectId: key.id, dueAt: now })
        ])
      }))),
    link: (key) =>
      Effect.option(retryOnConflict(run(Effect.gen(function*() {
        const conversation = yield* lockConversation(key)
        const secret = ids.token(secretLength)
        yield* linkConversation(conversation, ids.digest(secret))
        return secret
      })))),
    open: (key, link) =>
      run(Effect.gen(function*() {
        const { booking: { customerId, orgId } } = yield* loadRecord(key)
        const [existing] = yield* store.findByCustomer([{ orgId, id: customerId }])
        const [conversation] = existing === undefined ? [] : yield* store.lock([existing])
        const now = yield* currentTime
        if (conversation === undefined || !isValidPass(conversation.link, link, now)) return yield* linkExpired
        const secret = ids.token(secretLength)
        const pass = { digest: ids.digest(secret), until: Instant.addMinutes(now, threadAccessLifetimeMinutes) }
        yield* decide(conversation, { _tag: "Show", shown: pass })
        return secret
      })),
    isSent: (booking, key) => Effect.map(messages.findByMailKey(booking.orgId, mailKeyOf(booking, key)), Option.isSome),
    write: (booking, { body, files = [], key }) =>
      retryOnConflict(run(Effect.gen(function*() {
        const record = yield* loadRecord(booking)
        const customer = yield* lockGuestOf(record)
        const conversation = yield* ofCustomer(customer)
        const mailKey = key === undefined ? null : mailKeyOf(booking, key)
        // The conversation is locked, so two submissions of the same form run sequentially.
        const existingMessage = mailKey === null
          ? Option.none()
          : yield* messages.findByMailKey(booking.orgId, mailKey)
        if (Option.isSome(existingMessage)) return existingMessage.value
        return yield* addInbound(conversation, {
          body,
          files,
          mailKey,
          channel: "page",
          bookingId: booking.id,
          fromName: getGuestName(record),
          fromEmail: getContactEmail(customer),
          automatic: false
        })
      }))),
    ask: ({ body, from, orgId }, request) => {
      const id = ids.uuid()
      const receiveQuestion = Effect.gen(function*() {
        const [customer] = yield* customers.lockByEmail([{ orgId, email: from.email }])
        yield* Effect.flatMap(orgs.find(orgId), failIfNotFound("org", orgId))
        const conversation = yield* customer === undefined ? ofStranger(orgId, from) : ofCustomer(customer)
        return yield* Effect.orDie(addInbound(conversation, {
          id,
          body,
          channel: "page",
          fromName: from.name,
          fromEmail: from.email,
          automatic: false
        }))
      })
      return retryOnConflict(make(request, {
        createdIds: [id],
        make: receiveQuestion,
        replay: (original) => {
          const result = Effect.orDie(Effect.head(messages.find([{ orgId, id: original.made.join() }])))
          return Effect.succeed({ isObsolete: false, result })
        }
      }))
    }
  })
})

/** The length of a secret in characters, which gives 190 bits of entropy. */
const secretLength = 32

const isUnread = ({ direction, readAt }: Message): boolean => direction === "to_guest" && readAt === null

const linkExpired = refuse(
  "unauthorized",
  `This link was already used or has expired. Links expire after ${guestLinkLifetimeMinutes} minutes.`
)
