/**
 * Erases the personal data of a guest on request. This covers email, name, phone, notes, and metadata; the notes and
 * metadata of their bookings; all messages of their conversation with their files; and the copies of all these in
 * stored events. IDs, cursors, bookings, and empty messages are kept.
 *
 * The customer row is erased first. From then on no booking can be made for the customer, no message from them is
 * accepted, and no response contains their name. Bookings and messages follow, and events are last: events that
 * concurrent booking changes append are either included or contain no personal data. A small erasure is one
 * transaction, and a large one runs in chunks. The request completes, and `customer.deleted` is sent, when everything
 * is erased. Pending messages to the customer that a staff member has edited in a proposal are discarded.
 *
 * A person who asked a question but never booked has only a conversation. It is erased separately: first its sender,
 * then its messages, then the events.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import { withUpdatedAt } from "../../booking/Booking.ts"
import { bookingEvents } from "../../booking/bookingEvents.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Conversation } from "../../conversation/Conversation.ts"
import { type ConversationCommand, conversationDecider } from "../../conversation/ConversationDecider.ts"
import { ConversationStore } from "../../conversation/ConversationStore.ts"
import { ConversationWriter } from "../../conversation/ConversationWriter.ts"
import { type Message, redactMessage } from "../../conversation/Message.ts"
import { messageEvents } from "../../conversation/messageEvents.ts"
import { MessageStore } from "../../conversation/MessageStore.ts"
import { makeReplyToken } from "../../conversation/replyToken.ts"
import * as Decider from "../../Decider.ts"
import { fileRemovalTasks } from "../../file/fileRemovalTasks.ts"
import { FileStore } from "../../file/FileStore.ts"
import { ChunkSize, runInChunks } from "../../job/chunkedWork.ts"
import { type ResumableJob, ResumableJobStore } from "../../job/ResumableJobStore.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { EventLog, type StoredEvent } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { proposalDecider } from "../../proposal/ProposalDecider.ts"
import { ProposalStore } from "../../proposal/ProposalStore.ts"
import { notFound, type Refusal, refuse } from "../../Refusal.ts"
import { TaskStore } from "../../task/TaskStore.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Position } from "../../wire/Cursor.ts"
import { redactPersonalFields } from "../../wire/View.ts"
import type { Customer } from "../Customer.ts"
import { customerDecider } from "../CustomerDecider.ts"
import { customerEvents } from "../customerEvents.ts"
import { customerEvent } from "../Customers.ts"
import { CustomerStore } from "../CustomerStore.ts"

export class CustomerErasure extends Context.Tag("@trailbook/core/CustomerErasure")<
  CustomerErasure,
  {
    /** Erases a customer; safe to repeat. `record` runs in the transaction that starts the erasure. */
    readonly erase: (key: OrgKey, record?: Effect.Effect<void>) => Effect.Effect<void, Refusal<"not_found">>
    /**
     * Erases the conversation of a person who is not a customer; safe to repeat. `record` runs in the transaction that
     * starts the erasure.
     */
    readonly eraseConversation: (
      key: OrgKey,
      record?: Effect.Effect<void>
    ) => Effect.Effect<void, Refusal<"not_found" | "has_customer">>
    /** Continues a started erasure until it is finished or, checked between two chunks, `over` is true. */
    readonly resume: (row: ResumableJob, over: Effect.Effect<boolean>) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    CustomerErasure,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const conversations = yield* ConversationStore
      const correspondence = yield* ConversationWriter
      const customers = yield* CustomerStore
      const files = yield* FileStore
      const ids = yield* Ids
      const log = yield* EventLog
      const messages = yield* MessageStore
      const proposals = yield* ProposalStore
      const tasks = yield* TaskStore
      const unfinished = yield* ResumableJobStore
      const unitOfWork = yield* UnitOfWork
      const { run } = unitOfWork
      const inParts = runInChunks(unitOfWork)

      const forgetBookings = (records: ReadonlyArray<BookingRecord>) =>
        records.length === 0
          ? Effect.void
          : Effect.flatMap(currentTime, (now) =>
            bookings.put(
              records.map(({ booking }) => ({
                ...withUpdatedAt(booking, now),
                notes: "",
                metadata: {},
                contact: null,
                unproven: booking.unproven && { ...booking.unproven, network: null }
              }))
            ))

      const messagesOf = (conversation: Conversation | undefined, after: Position | undefined, limit: number) =>
        conversation === undefined
          ? Effect.succeed([])
          : messages.list({ orgId: conversation.orgId, conversationId: conversation.id, after, limit })

      /** All messages must belong to one conversation. */
      const forgetMessages = (rows: ReadonlyArray<Message>) =>
        Effect.gen(function*() {
          const [first] = rows
          if (first === undefined) return
          yield* messages.erase(rows.map(redactMessage))
          const gone = yield* files.removeOfMessages(first.orgId, rows.map(({ id }) => id))
          yield* tasks.add(fileRemovalTasks(ids, gone, yield* currentTime))
        })

      /**
       * Replaces the reply address, so that the conversation receives no more mail. A conversation without a customer
       * is also removed from all lists.
       */
      const forgetConversation = (conversation: Conversation | undefined) => {
        if (conversation === undefined) return Effect.void
        const after = (before: Conversation, command: ConversationCommand) =>
          Either.getOrThrow(Decider.run(conversationDecider)(before, command)).state
        const left = conversation.customerId === null ? after(conversation, { _tag: "Leave", to: null }) : conversation
        return conversations.erase([after(left, { _tag: "Forget", token: makeReplyToken(ids) })])
      }

      /** Discards pending messages to this customer that a staff member has edited. */
      const forgetProposals = ({ id, orgId }: OrgKey) =>
        Effect.gen(function*() {
          const waiting = yield* proposals.list({ orgId, status: "pending", limit: mostWaiting })
          const own = waiting.flatMap((proposal) =>
            proposal.actions.flatMap(({ facts, input }) =>
              facts.reworded === true && typeof input.booking_id === "string"
                ? [{ proposal, bookingId: input.booking_id }]
                : []
            )
          )
          if (own.length === 0) return
          const theirs = (yield* bookings.find(own.map(({ bookingId }) => ({ orgId, id: bookingId }))))
            .filter(({ booking }) => booking.customerId === id)
          const bookingIds = new Set(theirs.map(({ booking }) => booking.id))
          const named = own.filter(({ bookingId }) => bookingIds.has(bookingId)).map(({ proposal }) => proposal)
          if (named.length === 0) return
          const now = yield* currentTime
          for (const proposal of yield* proposals.lock(named)) {
            const forget = { _tag: "Forget" as const, now, bookingIds }
            const { events, state } = Either.getOrThrow(Decider.run(proposalDecider)(proposal, forget))
            if (events.length > 0) yield* proposals.put(state)
          }
        })

      const forgetEvents = (orgId: string, told: ReadonlyArray<StoredEvent>) =>
        log.rewrite(orgId, told.map((event) => ({ id: event.id, data: redactEvent(event) })))

      const tell = (erased: Customer) =>
        Effect.flatMap(currentTime, (now) => log.append([customerEvent(erased, "customer.deleted", now)]))

      /**
       * Erases the customer row and, if there is little data, everything else. Otherwise returns the job for the rest.
       */
      const begin = (key: OrgKey, record: Effect.Effect<void>) =>
        Effect.gen(function*() {
          yield* forgetProposals(key)
          const [customer] = yield* customers.lock([key])
          if (customer === undefined) return yield* notFound("customer", key.id)
          const now = yield* currentTime
          const { events, state } = Either.getOrThrow(Decider.run(customerDecider)(customer, { _tag: "Erase", now }))
          const subject = { orgId: key.orgId, subject: "customer" as const, id: key.id }
          if (events.length === 0) return Option.getOrUndefined(yield* unfinished.find(subject))
          const size = yield* ChunkSize
          const theirs = yield* bookings.lockOfCustomer(key, "", size + 1)
          // Conversations of visitors are found by email, so this must run before the email is erased.
          const conversation = yield* correspondence.known(customer)
          const written = yield* messagesOf(conversation, undefined, size + 1)
          const told = yield* log.about(key.orgId, key.id, 0, size + 1)
          yield* customers.put([state])
          if (theirs.length > size || written.length > size || told.length > size) {
            const row = { ...subject, begunAt: now, touchedAt: now, cancelled: 0, refunded: 0 }
            yield* unfinished.put(row)
            yield* record
            // The event is sent when the erasure is complete, but the name is already erased, so pages must be
            // refreshed.
            yield* log.touch(key.orgId)
            return row
          }
          yield* forgetBookings(theirs)
          yield* forgetMessages(written)
          yield* forgetConversation(conversation)
          yield* record
          yield* forgetEvents(key.orgId, told)
          yield* tell(state)
          return undefined
        })

      /**
       * Erases the sender of a conversation and, if there is little data, everything else. Otherwise returns the job
       * for the rest.
       */
      const beginConversation = (key: OrgKey, record: Effect.Effect<void>) =>
        Effect.gen(function*() {
          const [conversation] = yield* conversations.lock([key])
          if (conversation === undefined) return yield* notFound("conversation", key.id)
          if (conversation.customerId !== null) return yield* refuse("has_customer", conversation.customerId)
          // An erased conversation has no sender address, so a repeated request is not recorded again.
          const recorded = conversation.fromEmail === "" ? Effect.void : record
          const subject = { orgId: key.orgId, subject: "conversation" as const, id: key.id }
          const size = yield* ChunkSize
          const written = yield* messagesOf(conversation, undefined, size + 1)
          const told = yield* log.about(key.orgId, key.id, 0, size + 1)
          if (written.length > size || told.length > size) {
            const now = yield* currentTime
            const row = { ...subject, begunAt: now, touchedAt: now, cancelled: 0, refunded: 0 }
            yield* forgetConversation(conversation)
            yield* unfinished.put(row)
            yield* recorded
            yield* log.touch(key.orgId)
            return row
          }
          yield* forgetMessages(written)
          yield* forgetConversation(conversation)
          yield* recorded
          yield* forgetEvents(key.orgId, told)
          yield* log.touch(key.orgId)
          return undefined
        })

      const touched = (row: ResumableJob) =>
        Effect.gen(function*() {
          const before = yield* unfinished.lock(row)
          if (Option.isSome(before)) yield* unfinished.put({ ...before.value, touchedAt: yield* currentTime })
          return Option.isSome(before)
        })

      const bookingsPart = (row: ResumableJob, after: string, size: number) =>
        Effect.gen(function*() {
          const theirs = yield* bookings.lockOfCustomer(row, after, size)
          yield* forgetBookings(theirs)
          if (!(yield* touched(row))) return undefined
          const last = theirs.at(-1)
          return last === undefined || theirs.length < size ? { message: undefined } : { booking: last.booking.id }
        })

      const messagesPart = (row: ResumableJob, after: Position | undefined, size: number) =>
        Effect.gen(function*() {
          const [found] = row.subject === "customer" ? yield* conversations.findByCustomer([row]) : [row]
          const [conversation] = found === undefined ? [] : yield* conversations.lock([found])
          const written = yield* messagesOf(conversation, after, size)
          yield* forgetMessages(written)
          const last = written.at(-1)
          const isLast = last === undefined || written.length < size
          if (isLast) yield* forgetConversation(conversation)
          if (!(yield* touched(row))) return undefined
          return isLast ? { event: 0 } : { message: { at: last.createdAt, id: last.id } }
        })

      const eventsPart = (row: ResumableJob, after: number, size: number) =>
        Effect.gen(function*() {
          const told = yield* log.about(row.orgId, row.id, after, size)
          yield* forgetEvents(row.orgId, told)
          const isOurs = yield* touched(row)
          const last = told.at(-1)
          if (isOurs && last !== undefined && told.length === size) return { event: last.id }
          if (!isOurs) return undefined
          yield* unfinished.remove(row)
          if (row.subject !== "customer") {
            yield* log.touch(row.orgId)
            return undefined
          }
          const [erased] = yield* customers.find([row])
          if (erased !== undefined) yield* tell(erased)
          return undefined
        })

      const part = (row: ResumableJob, at: At, size: number): Effect.Effect<At | undefined> => {
        if ("booking" in at) return bookingsPart(row, at.booking, size)
        return "message" in at ? messagesPart(row, at.message, size) : eventsPart(row, at.event, size)
      }

      const goOn = (row: ResumableJob, over: Effect.Effect<boolean>) =>
        inParts<At, never, never>(
          row.subject === "customer" ? { booking: "" } : { message: undefined },
          (at) => Effect.flatMap(ChunkSize, (size) => run<At | undefined, never, never>(part(row, at, size))),
          over
        )

      const toItsEnd = (row: ResumableJob | undefined) =>
        row === undefined ? Effect.void : Effect.asVoid(goOn(row, Effect.succeed(false)))

      return CustomerErasure.of({
        erase: (key, record = Effect.void) => Effect.flatMap(run(begin(key, record)), toItsEnd),
        eraseConversation: (key, record = Effect.void) => Effect.flatMap(run(beginConversation(key, record)), toItsEnd),
        resume: (row, over) => Effect.asVoid(goOn(row, over))
      })
    })
  )
}

/** More than an org can have pending at the same time. */
const mostWaiting = 500

/** The row after which a chunk starts. */
type At =
  | { readonly booking: string }
  | { readonly message: Position | undefined }
  | { readonly event: number }

const declared = new Map<string, Schema.Schema.AnyNoContext>(
  [...customerEvents, ...bookingEvents, ...messageEvents].map(({ data, type }) => [type, data])
)

/**
 * Removes the guest's personal fields from the data of a stored event, as its type declares them. The data of an
 * unknown type is removed completely.
 */
export const redactEvent = ({ data, type }: Pick<StoredEvent, "type" | "data">): unknown => {
  const schema = declared.get(type)
  return schema === undefined ? {} : redactPersonalFields(schema, data)
}
