/**
 * Writes to conversations on behalf of guests and outfitters. All functions run inside the caller's transaction. The
 * lock order is customers and bookings, then the conversation, then tasks and events.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Customer } from "../customer/Customer.ts"
import { attachFiles } from "../file/Attachments.ts"
import { attachmentView, FileStore } from "../file/StoredFile.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod, OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import type { Refusal } from "../Refusal.ts"
import { makeStaffNotificationTasks } from "../staff/Notifier.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as Conversation from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { makeReplyToken } from "./findConversation.ts"
import * as Message from "./message/Message.ts"
import { MessageStore } from "./message/MessageStore.ts"
import { type AttachmentRef, makeMessageEvent } from "./message/MessageView.ts"
import { type ConversationCommand, updateConversation } from "./updateConversation.ts"

/** A message from a guest. */
export type InboundMessage =
  & Pick<Message.Message, "body" | "channel">
  & Partial<Pick<Message.Message, "id" | "bookingId" | "cut" | "fromName" | "fromEmail" | "mailKey" | "mailId">>
  & {
    /** The subject line of a guest's email. */
    readonly subject?: string

    /**
     * Whether a machine wrote the message. Such a message is stored in the system channel, does not change the status,
     * and is not acknowledged.
     */
    readonly automatic: boolean
    /** The message's files, which must already be stored and must not belong to another message. */
    readonly files?: ReadonlyArray<AttachmentRef>
  }

/** A message from the outfitter, or a note. */
export type OutboundMessage =
  & Pick<Message.Message, "id" | "body" | "sentBy" | "channel" | "kind">
  & Partial<Pick<Message.Message, "subject" | "bookingId" | "broadcastId" | "failedAt" | "failure">>
  & {
    /** A locked conversation. */
    readonly conversation: Conversation.Conversation
  }

export class ConversationWriter extends Context.Tag("@trailbook/core/ConversationWriter")<
  ConversationWriter,
  {
    /**
     * Locks and returns a customer's conversation, creating it if needed. An earlier question from the customer's email
     * address is merged into the conversation.
     */
    readonly ofCustomer: (customer: Customer) => Effect.Effect<Conversation.Conversation>
    /** Like `ofCustomer` for several customers, in input order. */
    readonly ofCustomers: (
      customers: ReadonlyArray<Customer>
    ) => Effect.Effect<ReadonlyArray<Conversation.Conversation>>
    /** Like `ofCustomer`, but does not create a conversation. */
    readonly findOfCustomer: (customer: Customer) => Effect.Effect<Conversation.Conversation | undefined>
    /**
     * Locks and returns the conversation with a person who has no customer record, creating it if needed. Dies if the
     * conversation was concurrently assigned to a customer, in which case the transaction must be retried.
     */
    readonly ofStranger: (
      orgId: string,
      from: { readonly name: string; readonly email: string }
    ) => Effect.Effect<Conversation.Conversation>
    /** Adds messages from the outfitter, at most one per conversation. Returns the messages in input order. */
    readonly addOutbound: (texts: ReadonlyArray<OutboundMessage>) => Effect.Effect<ReadonlyArray<Message.Message>>
    /**
     * Adds a message from the guest to a locked conversation, with the events and, at most once a day, an
     * acknowledgment. The staff are notified immediately, or in the next notice if a notice was sent within the last 5
     * minutes. Call this method last in a transaction.
     */
    readonly addInbound: (
      conversation: Conversation.Conversation,
      text: InboundMessage
    ) => Effect.Effect<Message.Message, Refusal<"not_found" | "attachment_used">>
    /** Applies a command to a locked conversation and stores the result. */
    readonly decide: (
      conversation: Conversation.Conversation,
      command: ConversationCommand
    ) => Effect.Effect<Conversation.Conversation>
  }
>() {
  static readonly layer = Layer.effect(ConversationWriter, Effect.suspend(() => makeConversationWriter))
}

const makeConversationWriter = Effect.gen(function*() {
  const ids = yield* Ids
  const log = yield* EventLog
  const store = yield* ConversationStore
  const messages = yield* MessageStore
  const orgs = yield* OrgStore
  const staff = yield* StaffStore
  const tasks = yield* TaskStore
  const attach = attachFiles(yield* FileStore)

  const decide = (conversation: Conversation.Conversation, command: ConversationCommand) => {
    const state = updateConversation(conversation, command)
    return state === conversation ? Effect.succeed(state) : Effect.as(store.put([state]), state)
  }

  const makeConversation = (
    fields: Pick<Conversation.Conversation, "orgId" | "createdAt"> & Partial<Conversation.Conversation>
  ) => Conversation.make({ id: ids.uuid(), token: makeReplyToken(ids), ...fields })

  /**
   * Merges a question into its customer's conversation. Returns undefined if there is no conversation and no
   * question.
   */
  const joinConversations = (
    target: Conversation.Conversation | undefined,
    question: Conversation.Conversation | undefined,
    customerId: string
  ) =>
    Effect.gen(function*() {
      if (question === undefined) return target
      yield* log.relabel(question.orgId, question.id, customerId)
      if (target === undefined) {
        const conversation = yield* decide(question, { _tag: "Tie", customerId })
        yield* messages.move(conversation, { conversationId: conversation.id, customerId })
        return conversation
      }
      yield* decide(question, { _tag: "Leave", to: target.id })
      yield* messages.move(question, { conversationId: target.id, customerId })
      return yield* decide(target, { _tag: "TakeIn", other: question })
    })

  /**
   * Locks all conversations in one statement. Otherwise, two transactions that lock the same rows in different
   * orders could deadlock.
   */
  const loadConversations = (customers: ReadonlyArray<Customer>) =>
    Effect.gen(function*() {
      const assignedConversations = yield* store.findByCustomer(customers)
      const openConversations = yield* store.findByEmail(customers.filter(({ email }) => email !== ""))
      const rows = yield* store.lock([...assignedConversations, ...openConversations])
      // A concurrent transaction may have already assigned the question to its customer.
      const rowsByCustomer = new Map(rows.map((row) => [`${row.orgId} ${row.customerId}`, row]))
      const rowsByEmail = new Map(
        rows.flatMap((row) => row.customerId === null && row.fromEmail ? [[`${row.orgId} ${row.fromEmail}`, row]] : [])
      )
      return yield* Effect.forEach(customers, ({ email, id, orgId }) =>
        joinConversations(
          rowsByCustomer.get(`${orgId} ${id}`),
          email === "" ? undefined : rowsByEmail.get(`${orgId} ${email}`),
          id
        ))
    })

  const ofCustomers = (customers: ReadonlyArray<Customer>) =>
    Effect.gen(function*() {
      const createdAt = yield* currentTime
      const existing = yield* loadConversations(customers)
      const conversations = customers.map(({ id, orgId }, at) =>
        existing[at] ?? makeConversation({ orgId, customerId: id, createdAt })
      )
      const newConversations = conversations.filter((_, at) => existing[at] === undefined)
      // Sort by key, because concurrent transactions that insert the same rows in different orders could deadlock.
      yield* store.put(newConversations.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1))
      return conversations
    })

  const toMessage = ({ conversation, ...fields }: OutboundMessage, at: Instant.Instant) => {
    const { customerId, id: conversationId, orgId } = conversation
    const isSent = fields.kind === "message"
    const message = Message.make({
      ...fields,
      orgId,
      conversationId,
      customerId,
      direction: "to_guest",
      bounceToken: isSent ? makeReplyToken(ids) : null,
      createdAt: at
    })
    return {
      message,
      conversation: Message.isWrittenByPerson(message)
        ? updateConversation(conversation, { _tag: "OutfitterWrote", messageId: message.id, at })
        : conversation
    }
  }

  /** Returns the tasks that notify the staff of a guest's message. */
  const makeNoticeTasks = ({ id: subjectId, ...conversation }: Conversation.Conversation, message: Message.Message) =>
    Effect.gen(function*() {
      const { createdAt, id: aboutId, orgId } = message
      const schedule = Conversation.getStaffNotificationTime(conversation, createdAt)
      if (schedule._tag === "Pending") return []
      if (schedule._tag === "Later") {
        return [Task.make({ id: ids.uuid(), orgId, kind: "notice.messages", subjectId, dueAt: schedule.at })]
      }
      const dueAt = yield* currentTime
      return makeStaffNotificationTasks(ids, yield* staff.list(orgId), { kind: "mail.staff", orgId, aboutId, dueAt })
    })

  return ConversationWriter.of({
    decide,
    ofCustomer: (customer) => Effect.orDie(Effect.head(ofCustomers([customer]))),
    ofCustomers,
    findOfCustomer: (customer) => Effect.map(loadConversations([customer]), ([conversation]) => conversation),
    ofStranger: (orgId, { email, name }) =>
      Effect.gen(function*() {
        const [match] = yield* store.findByEmail([{ orgId, email }])
        if (match === undefined) {
          const row = makeConversation({ orgId, fromName: name, fromEmail: email, createdAt: yield* currentTime })
          return yield* Effect.as(store.put([row]), row)
        }
        const [question] = yield* store.lock([match])
        // The conversation may since have been assigned to a customer, and that customer may have been erased.
        if (question === undefined || question.customerId !== null || question.fromEmail !== email) {
          return yield* Effect.dieMessage(`Conversation ${match.id} was concurrently assigned to a customer.`)
        }
        return question
      }),
    addOutbound: (texts) =>
      Effect.gen(function*() {
        const at = yield* currentTime
        const rows = texts.map((one) => toMessage(one, at))
        yield* store.put(rows.map(({ conversation }) => conversation))
        yield* messages.put(rows.map(({ message }) => message))
        return rows.map(({ message }) => message)
      }),
    addInbound: (conversation, { automatic, files = [], subject = "", ...input }) =>
      Effect.gen(function*() {
        const { customerId, id: conversationId, orgId } = conversation
        const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
        const now = yield* currentTime
        // A notice to the staff covers the messages between two timestamps. The timestamps of a guest's messages
        // must therefore strictly increase, even if the clocks of two servers differ.
        const at = conversation.guestAt === null || conversation.guestAt < now
          ? now
          : Instant.make(conversation.guestAt + 1)
        const commonFields = { orgId, conversationId, customerId, createdAt: at }
        const message = Message.make({
          id: ids.uuid(),
          ...input,
          ...commonFields,
          subject: Message.stripReplyPrefixes(subject),
          direction: "to_outfitter",
          sentBy: "guest",
          ...(automatic ? { channel: "system" as const } : {})
        })
        const nextState = automatic ? conversation : updateConversation(conversation, {
          _tag: "GuestWrote",
          messageId: message.id,
          at,
          topic: message.subject || Message.stripReplyPrefixes(`Your message to ${org.name}`)
        })
        const finalState = automatic || !org.autoAck
          ? nextState
          : updateConversation(nextState, { _tag: "Acknowledge", at: now })
        const autoReplies = finalState === nextState ? [] : [Message.make({
          ...commonFields,
          id: ids.uuid(),
          bookingId: message.bookingId,
          direction: "to_guest",
          subject: Message.formatReplySubject(finalState),
          body: autoReplyText(org),
          sentBy: "agent",
          channel: "system",
          bounceToken: makeReplyToken(ids)
        })]
        yield* store.put([finalState])
        yield* messages.put([message, ...autoReplies])
        const attachments = yield* attach(orgId, files, message.id)
        yield* tasks.add([
          // Staff are not notified of automated messages.
          ...(automatic ? [] : yield* makeNoticeTasks(conversation, message)),
          ...autoReplies.map(({ id }) =>
            Task.make({ id: ids.uuid(), orgId, kind: "mail.message", subjectId: id, dueAt: now })
          )
        ])
        yield* log.append([
          makeMessageEvent(message, attachments.map(attachmentView)),
          ...autoReplies.map((row) => makeMessageEvent(row))
        ])
        return message
      })
  })
})

const keyOf = ({ customerId, orgId }: Conversation.Conversation): string => `${orgId} ${customerId}`

/**
 * Returns the acknowledgment of a guest's message. It contains the expected reply time and the outfitter's away notice,
 * if they are set.
 */
const autoReplyText = ({ awayNotice, name, replyWindow }: Org): string =>
  [
    `Thank you for your message to ${ensureFinalPeriod(name)}`,
    ...(replyWindow === null ? [] : [`Expected reply time: ${replyWindow}`]),
    ...(awayNotice === null ? [] : [awayNotice])
  ].join("\n\n")
