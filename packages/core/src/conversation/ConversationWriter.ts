/**
 * Writing in a conversation, from either side. All of it runs inside a unit of work
 * of the caller's, and locks in the order of locks: the conversation after customers
 * and bookings, and before tasks and events.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Customer } from "../customer/Customer.ts"
import * as Decider from "../Decider.ts"
import type { Org } from "../org/Org.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { autoReplyText } from "./autoReply.ts"
import * as Conversation from "./Conversation.ts"
import { type ConversationCommand, conversationDecider } from "./ConversationDecider.ts"
import { ConversationStore } from "./ConversationStore.ts"
import type { AttachmentRef } from "./loadAttachments.ts"
import * as Message from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"
import { makeReplyToken } from "./replyToken.ts"
import { replySubject, stripReplyPrefixes } from "./subjects.ts"

/**
 * What a guest has written.
 *
 * @category models
 */
export type InboundText =
  & Pick<Message.Message, "body" | "channel">
  & Partial<Pick<Message.Message, "id" | "bookingId" | "cut" | "fromName" | "fromEmail" | "mailKey" | "mailId">>
  & {
    /** The subject line of a guest's email. */
    readonly subject?: string

    /** A machine wrote it. It is kept in the system channel, changes no status, and is not acknowledged. */
    readonly automatic: boolean
    /** Kept before, and used by no other message. */
    readonly files?: ReadonlyArray<AttachmentRef>
  }

/**
 * What the outfitter has written, or kept as a note.
 *
 * @category models
 */
export type OutboundText =
  & Pick<Message.Message, "id" | "body" | "sentBy" | "channel" | "kind">
  & Partial<Pick<Message.Message, "subject" | "bookingId" | "broadcastId" | "failedAt" | "failure">>
  & {
    /** A conversation that is locked. */
    readonly conversation: Conversation.Conversation
  }

/**
 * @category services
 */
export class ConversationWriter extends Context.Tag("@trailbook/core/ConversationWriter")<
  ConversationWriter,
  {
    /**
     * The conversation of a customer, locked; made when they have none. A question that was
     * asked with their e-mail before they booked becomes theirs, with all that was said in it.
     */
    readonly ofCustomer: (customer: Customer) => Effect.Effect<Conversation.Conversation>
    /** The same of several customers, in their order. */
    readonly ofCustomers: (
      customers: ReadonlyArray<Customer>
    ) => Effect.Effect<ReadonlyArray<Conversation.Conversation>>
    /** The same without making one. */
    readonly known: (customer: Customer) => Effect.Effect<Option.Option<Conversation.Conversation>>
    /**
     * The conversation of somebody who is no customer, locked; made when there is none. It dies
     * when it has become a customer's meanwhile: the unit of work is to be tried again.
     */
    readonly ofStranger: (
      orgId: string,
      from: { readonly name: string; readonly email: string }
    ) => Effect.Effect<Conversation.Conversation>
    /** Adds what the outfitter says to conversations, to each once, and answers with the messages in their order. */
    readonly say: (said: ReadonlyArray<OutboundText>) => Effect.Effect<ReadonlyArray<Message.Message>>
    /**
     * Adds what a guest says to a conversation that is locked and, at most once a day, tells them that it has arrived.
     * It answers with their message first.
     */
    readonly hear: (
      conversation: Conversation.Conversation,
      org: Org,
      heard: InboundText
    ) => Effect.Effect<ReadonlyArray<Message.Message>>
    /** Stores what became of a conversation that is locked. */
    readonly decide: (
      conversation: Conversation.Conversation,
      command: ConversationCommand
    ) => Effect.Effect<Conversation.Conversation>
  }
>() {
  static readonly layer = Layer.effect(
    ConversationWriter,
    Effect.gen(function*() {
      const ids = yield* Ids
      const log = yield* EventLog
      const store = yield* ConversationStore
      const messages = yield* MessageStore

      const after = (conversation: Conversation.Conversation, command: ConversationCommand) =>
        Either.getOrThrow(Decider.run(conversationDecider)(conversation, command)).state

      const decide = (conversation: Conversation.Conversation, command: ConversationCommand) => {
        const state = after(conversation, command)
        return state === conversation ? Effect.succeed(state) : Effect.as(store.put([state]), state)
      }

      const made = (
        given: Pick<Conversation.Conversation, "orgId" | "createdAt"> & Partial<Conversation.Conversation>
      ) => Conversation.make({ id: ids.uuid(), token: makeReplyToken(ids), ...given })

      /** The conversation of a customer and a question of theirs, in one; `undefined` when they have neither. */
      const joined = (
        own: Conversation.Conversation | undefined,
        question: Conversation.Conversation | undefined,
        customerId: string
      ) =>
        Effect.gen(function*() {
          if (question === undefined) return own
          yield* log.relabel(question.orgId, question.id, customerId)
          if (own === undefined) {
            const tied = yield* decide(question, { _tag: "Tie", customerId })
            yield* messages.move(tied, { conversationId: tied.id, customerId })
            return tied
          }
          yield* decide(question, { _tag: "Leave", to: own.id })
          yield* messages.move(question, { conversationId: own.id, customerId })
          return yield* decide(own, { _tag: "TakeIn", other: question })
        })

      /** All of them are locked by one statement: two who lock the same crosswise would wait for each other. */
      const known = (customers: ReadonlyArray<Customer>) =>
        Effect.gen(function*() {
          const own = yield* store.findByCustomer(customers)
          const asked = yield* store.findByEmail(customers.filter(({ email }) => email !== ""))
          const rows = yield* store.lock([...own, ...asked])
          // Somebody else may have tied the question while this one waited.
          const owned = new Map(rows.map((row) => [`${row.orgId} ${row.customerId}`, row]))
          const open = new Map(
            rows.flatMap((row) =>
              row.customerId === null && row.fromEmail ? [[`${row.orgId} ${row.fromEmail}`, row]] : []
            )
          )
          return yield* Effect.forEach(customers, ({ email, id, orgId }) =>
            joined(owned.get(`${orgId} ${id}`), email === "" ? undefined : open.get(`${orgId} ${email}`), id))
        })

      const ofCustomers = (customers: ReadonlyArray<Customer>) =>
        Effect.gen(function*() {
          const createdAt = yield* currentTime
          const found = yield* known(customers)
          const all = customers.map(({ id, orgId }, at) => found[at] ?? made({ orgId, customerId: id, createdAt }))
          const added = all.filter((_, at) => found[at] === undefined)
          // In the order of what another may add, too.
          yield* store.put(added.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1))
          return all
        })

      const written = ({ conversation, ...said }: OutboundText, at: Instant.Instant) => {
        const { customerId, id: conversationId, orgId } = conversation
        const isSent = said.kind === "message"
        const message = Message.make({
          ...said,
          orgId,
          conversationId,
          customerId,
          direction: "to_guest",
          bounceToken: isSent ? makeReplyToken(ids) : null,
          createdAt: at
        })
        return {
          message,
          conversation: Message.isOfPeople(message)
            ? after(conversation, { _tag: "OutfitterWrote", messageId: message.id, at })
            : conversation
        }
      }

      const add = (conversation: Conversation.Conversation, written: ReadonlyArray<Message.Message>) =>
        Effect.as(Effect.zipRight(store.put([conversation]), messages.put(written)), written)

      return ConversationWriter.of({
        decide,
        ofCustomer: (customer) =>
          Effect.flatMap(
            ofCustomers([customer]),
            ([found]) => found === undefined ? Effect.dieMessage("Each has one.") : Effect.succeed(found)
          ),
        ofCustomers,
        known: (customer) => Effect.map(known([customer]), ([found]) => Option.fromNullable(found)),
        ofStranger: (orgId, { email, name }) =>
          Effect.gen(function*() {
            const [known] = yield* store.findByEmail([{ orgId, email }])
            if (known === undefined) {
              const row = made({ orgId, fromName: name, fromEmail: email, createdAt: yield* currentTime })
              return yield* Effect.as(store.put([row]), row)
            }
            const [question] = yield* store.lock([known])
            // It may have become a customer's while this waited, who may be erased by now.
            if (question === undefined || question.customerId !== null || question.fromEmail !== email) {
              return yield* Effect.dieMessage(`Conversation ${known.id} is no stranger's any more.`)
            }
            return question
          }),
        say: (all) =>
          Effect.gen(function*() {
            const at = yield* currentTime
            const rows = all.map((one) => written(one, at))
            yield* store.put(rows.map(({ conversation }) => conversation))
            yield* messages.put(rows.map(({ message }) => message))
            return rows.map(({ message }) => message)
          }),
        hear: (conversation, org, { automatic, files: _files, subject = "", ...heard }) =>
          Effect.gen(function*() {
            const { customerId, id: conversationId, orgId } = conversation
            const now = yield* currentTime
            // A notice to the staff contains the messages between two moments. So the messages of a guest have strictly
            // increasing moments, even if the clocks of two servers differ.
            const at = conversation.guestAt === null || conversation.guestAt < now
              ? now
              : Instant.make(conversation.guestAt + 1)
            const common = { orgId, conversationId, customerId, createdAt: at }
            const message = Message.make({
              id: ids.uuid(),
              ...heard,
              ...common,
              subject: stripReplyPrefixes(subject),
              direction: "to_outfitter",
              sentBy: "guest",
              ...(automatic ? { channel: "system" as const } : {})
            })
            if (automatic) return yield* add(conversation, [message])
            const open = after(conversation, {
              _tag: "GuestWrote",
              messageId: message.id,
              at,
              topic: message.subject || stripReplyPrefixes(`Your message to ${org.name}`)
            })
            const told = org.autoAck ? after(open, { _tag: "Acknowledge", at: now }) : open
            if (told === open) return yield* add(open, [message])
            const answer = Message.make({
              ...common,
              id: ids.uuid(),
              bookingId: message.bookingId,
              direction: "to_guest",
              subject: replySubject(told),
              body: autoReplyText(org),
              sentBy: "agent",
              channel: "system",
              bounceToken: makeReplyToken(ids)
            })
            return yield* add(told, [message, answer])
          })
      })
    })
  )
}

const keyOf = ({ customerId, orgId }: Conversation.Conversation): string => `${orgId} ${customerId}`
