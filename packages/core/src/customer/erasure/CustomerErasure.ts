/**
 * Erases a guest's personal data on request. The erasure covers the guest's email, name, phone, notes, and metadata. It
 * also covers the notes and metadata on the guest's bookings, all messages in the conversation with their files, and
 * the copies of this data in stored events. IDs, cursors, bookings, and empty messages are kept.
 *
 * The customer row is erased first. After that, no booking can be made for the customer, no message from the guest is
 * accepted, and no response contains the guest's name. Bookings and messages follow, and events come last. As a result,
 * any event that a concurrent booking change appends is either covered by the erasure or free of personal data. A small
 * erasure is one transaction, and a large erasure runs in chunks. Once everything is erased, the request completes and
 * `customer.deleted` is sent. Messages to the customer in pending proposals are discarded if a staff member has edited
 * them.
 *
 * A person who asked a question but never booked has only a conversation. The conversation is erased separately: first
 * its sender, then its messages, and then the events.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { withUpdatedAt } from "../../booking/Booking.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import { bookingEvents, type BookingRecord } from "../../booking/BookingView.ts"
import type { Conversation } from "../../conversation/Conversation.ts"
import { ConversationStore } from "../../conversation/ConversationStore.ts"
import { ConversationWriter } from "../../conversation/ConversationWriter.ts"
import { makeReplyToken } from "../../conversation/findConversation.ts"
import { type Message, redactMessage } from "../../conversation/message/Message.ts"
import { MessageStore } from "../../conversation/message/MessageStore.ts"
import { messageEvents } from "../../conversation/message/MessageView.ts"
import { updateConversation } from "../../conversation/updateConversation.ts"
import * as Decider from "../../Decider.ts"
import { makeFileRemovalTasks } from "../../file/Attachments.ts"
import { FileStore } from "../../file/StoredFile.ts"
import {
  ChunkSize,
  defineStoredJob,
  type JobChunkResult,
  type JobRunner,
  type ResumableJob
} from "../../job/defineJob.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { LedgerStore, paymentEvents } from "../../payment/ledger/LedgerEntry.ts"
import { EventLog, type StoredEvent } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { readInPages, smallRowPageSize } from "../../port/readInPages.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { ProposalStore } from "../../proposal/Proposal.ts"
import { proposalDecider } from "../../proposal/ProposalDecider.ts"
import { notFound, type Refusal, refuse } from "../../Refusal.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import { type Position, toCreationPosition } from "../../wire/Cursor.ts"
import { redactPersonalFields } from "../../wire/View.ts"
import { type Customer, customerDecider, customerEvents, CustomerStore } from "../Customer.ts"
import { makeCustomerEvent } from "../Customers.ts"

export class CustomerErasure extends Context.Tag("@trailbook/core/CustomerErasure")<
  CustomerErasure,
  {
    /** Erases a customer. The call is idempotent. `record` runs in the transaction that starts the erasure. */
    readonly erase: (key: OrgKey, record?: Effect.Effect<void>) => Effect.Effect<void, Refusal<"not_found">>
    /**
     * Erases the conversation with a person who is not a customer. The call is idempotent. `record` runs in the
     * transaction that starts the erasure.
     */
    readonly eraseConversation: (
      key: OrgKey,
      record?: Effect.Effect<void>
    ) => Effect.Effect<void, Refusal<"not_found" | "has_customer">>
    readonly jobs: Readonly<Record<"customer" | "conversation", JobRunner<ResumableJob>>>
  }
>() {
  static readonly layer = Layer.effect(CustomerErasure, Effect.suspend(() => makeCustomerErasure))
}

const makeCustomerErasure = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const conversations = yield* ConversationStore
  const conversationWriter = yield* ConversationWriter
  const customers = yield* CustomerStore
  const files = yield* FileStore
  const ids = yield* Ids
  const ledger = yield* LedgerStore
  const log = yield* EventLog
  const messages = yield* MessageStore
  const proposals = yield* ProposalStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  const eraseBookings = (records: ReadonlyArray<BookingRecord>) =>
    records.length === 0
      ? Effect.void
      : Effect.zipRight(
        ledger.forgetNotes(records.map(({ booking: { id, orgId } }) => ({ orgId, id }))),
        Effect.flatMap(currentTime, (now) =>
          bookings.update(
            records.map(({ booking }) => ({
              ...withUpdatedAt(booking, now),
              notes: "",
              staffNotes: "",
              price: booking.price && {
                ...booking.price,
                lines: booking.price.lines.map((line) => line.kind === "adjustment" ? { ...line, name: "" } : line)
              },
              metadata: {},
              contact: null,
              unproven: booking.unproven && { ...booking.unproven, network: null }
            }))
          ))
      )

  const loadMessages = (conversation: Conversation | undefined, after: Position | undefined, limit: number) =>
    conversation === undefined
      ? Effect.succeed([])
      : messages.list({ orgId: conversation.orgId, conversationId: conversation.id, after, limit })

  /** Erases messages. They must all belong to the same conversation. */
  const eraseMessages = (rows: ReadonlyArray<Message>) =>
    Effect.gen(function*() {
      const [first] = rows
      if (first === undefined) return
      yield* messages.erase(rows.map(redactMessage))
      const removedFiles = yield* files.removeOfMessages(first.orgId, rows.map(({ id }) => id))
      yield* tasks.add(makeFileRemovalTasks(ids, removedFiles, yield* currentTime))
    })

  /**
   * Replaces the reply address so that the conversation no longer receives email. If it has no customer, it is also
   * removed from all lists.
   */
  const redactConversation = (conversation: Conversation | undefined) => {
    if (conversation === undefined) return Effect.void
    const state = conversation.customerId === null
      ? updateConversation(conversation, { _tag: "Leave", to: null })
      : conversation
    return conversations.erase([updateConversation(state, { _tag: "Forget", token: makeReplyToken(ids) })])
  }

  /** Discards messages to this customer in pending proposals, if a staff member has edited them. */
  const eraseProposalEdits = ({ id, orgId }: OrgKey) =>
    Effect.gen(function*() {
      const pendingProposals = yield* readInPages({
        limit: Infinity,
        atOnce: smallRowPageSize,
        positionOf: toCreationPosition,
        read: (after, limit) => proposals.list({ orgId, status: "pending", after, limit })
      })
      const edits = pendingProposals.flatMap((proposal) =>
        proposal.actions.flatMap(({ facts, input }) =>
          facts.reworded === true && typeof input.booking_id === "string"
            ? [{ proposal, bookingId: input.booking_id }]
            : []
        )
      )
      if (edits.length === 0) return
      const records = (yield* bookings.find(edits.map(({ bookingId }) => ({ orgId, id: bookingId }))))
        .filter(({ booking }) => booking.customerId === id)
      const bookingIds = new Set(records.map(({ booking }) => booking.id))
      const matches = edits.filter(({ bookingId }) => bookingIds.has(bookingId)).map(({ proposal }) => proposal)
      if (matches.length === 0) return
      const now = yield* currentTime
      for (const proposal of yield* proposals.lock(matches)) {
        const command = { _tag: "Forget" as const, now, bookingIds }
        const { events, state } = Either.getOrThrow(Decider.run(proposalDecider)(proposal, command))
        if (events.length > 0) yield* proposals.put(state)
      }
    })

  const redactEvents = (orgId: string, guestEvents: ReadonlyArray<StoredEvent>) =>
    log.rewrite(orgId, guestEvents.map((event) => ({ id: event.id, data: redactEvent(event) })))

  const publishErasure = (customer: Customer) =>
    Effect.flatMap(currentTime, (now) => log.append([makeCustomerEvent(customer, "customer.deleted", now)]))

  const bookingsStep = (job: ResumableJob, after: string, size: number) =>
    Effect.gen(function*() {
      const records = yield* bookings.lockOfCustomer(job, after, size)
      yield* eraseBookings(records)
      const last = records.at(-1)
      return {
        next: last === undefined || records.length < size ? { message: undefined } : { booking: last.booking.id }
      }
    })

  const messagesStep = (job: ResumableJob, after: Position | undefined, size: number) =>
    Effect.gen(function*() {
      const [existing] = job.subject === "customer" ? yield* conversations.findByCustomer([job]) : [job]
      const [conversation] = existing === undefined ? [] : yield* conversations.lock([existing])
      const rows = yield* loadMessages(conversation, after, size)
      yield* eraseMessages(rows)
      const last = rows.at(-1)
      if (last !== undefined && rows.length === size) {
        return { next: { message: { at: last.createdAt, id: last.id } } }
      }
      yield* redactConversation(conversation)
      return { next: { event: 0 } }
    })

  const eventsStep = (job: ResumableJob, after: number, size: number) =>
    Effect.gen(function*() {
      const guestEvents = yield* log.about(job.orgId, job.id, after, size)
      yield* redactEvents(job.orgId, guestEvents)
      const last = guestEvents.at(-1)
      if (last !== undefined && guestEvents.length === size) return { next: { event: last.id } }
      const publish = job.subject === "customer"
        ? Effect.flatMap(customers.find([job]), (rows) => Effect.forEach(rows, publishErasure, { discard: true }))
        : log.touch(job.orgId)
      return { publish }
    })

  const step = (
    job: ResumableJob,
    cursor: ErasureCursor,
    size: number
  ): Effect.Effect<JobChunkResult<ErasureCursor>> => {
    if ("booking" in cursor) return bookingsStep(job, cursor.booking, size)
    return "message" in cursor ? messagesStep(job, cursor.message, size) : eventsStep(job, cursor.event, size)
  }

  const customerJob = yield* defineStoredJob({ subject: "customer", from: { booking: "" }, step })
  const conversationJob = yield* defineStoredJob({ subject: "conversation", from: { message: undefined }, step })

  /**
   * Erases the customer row and, if there is little data, everything else. Otherwise, returns the job for the rest.
   */
  const eraseCustomer = (key: OrgKey, record: Effect.Effect<void>) =>
    Effect.gen(function*() {
      yield* eraseProposalEdits(key)
      const [customer] = yield* customers.lock([key])
      if (customer === undefined) return yield* notFound("customer", key.id)
      const now = yield* currentTime
      const { events, state } = Either.getOrThrow(Decider.run(customerDecider)(customer, { _tag: "Erase", now }))
      if (events.length === 0) return { job: yield* customerJob.find(key) }
      const size = yield* ChunkSize
      const records = yield* bookings.lockOfCustomer(key, "", size + 1)
      // Find the conversation before the email is erased, because visitors' conversations are found by email.
      const conversation = yield* conversationWriter.findOfCustomer(customer)
      const messageRows = yield* loadMessages(conversation, undefined, size + 1)
      const guestEvents = yield* log.about(key.orgId, key.id, 0, size + 1)
      yield* customers.put([state])
      if (records.length > size || messageRows.length > size || guestEvents.length > size) {
        const job = yield* customerJob.begin(key, now)
        yield* record
        // Refresh open pages now, because the name is already erased. The event is sent only once the erasure is
        // complete.
        yield* log.touch(key.orgId)
        return { job }
      }
      yield* eraseBookings(records)
      yield* eraseMessages(messageRows)
      yield* redactConversation(conversation)
      yield* record
      yield* redactEvents(key.orgId, guestEvents)
      yield* publishErasure(state)
      return {}
    })

  /**
   * Erases a conversation's sender and, if there is little data, everything else. Otherwise, returns the job for
   * the rest.
   */
  const eraseConversation = (key: OrgKey, record: Effect.Effect<void>) =>
    Effect.gen(function*() {
      const [conversation] = yield* conversations.lock([key])
      if (conversation === undefined) return yield* notFound("conversation", key.id)
      if (conversation.customerId !== null) return yield* refuse("has_customer", conversation.customerId)
      // An erased conversation has no sender address, so a repeated request is not recorded again.
      const recordOnce = conversation.fromEmail === "" ? Effect.void : record
      const size = yield* ChunkSize
      const messageRows = yield* loadMessages(conversation, undefined, size + 1)
      const guestEvents = yield* log.about(key.orgId, key.id, 0, size + 1)
      if (messageRows.length > size || guestEvents.length > size) {
        const now = yield* currentTime
        yield* redactConversation(conversation)
        const job = yield* conversationJob.begin(key, now)
        yield* recordOnce
        yield* log.touch(key.orgId)
        return { job }
      }
      yield* eraseMessages(messageRows)
      yield* redactConversation(conversation)
      yield* recordOnce
      yield* redactEvents(key.orgId, guestEvents)
      yield* log.touch(key.orgId)
      return {}
    })

  return CustomerErasure.of({
    erase: (key, record = Effect.void) => Effect.asVoid(customerJob.start(run(eraseCustomer(key, record)))),
    eraseConversation: (key, record = Effect.void) =>
      Effect.asVoid(conversationJob.start(run(eraseConversation(key, record)))),
    jobs: { customer: customerJob, conversation: conversationJob }
  })
})

/** The row after which a chunk starts. */
type ErasureCursor =
  | { readonly booking: string }
  | { readonly message: Position | undefined }
  | { readonly event: number }

const eventSchemas = new Map<string, Schema.Schema.AnyNoContext>(
  [...customerEvents, ...bookingEvents, ...paymentEvents, ...messageEvents].map(({ data, type }) => [type, data])
)

/**
 * Removes the guest's personal fields, as declared by the event type, from a stored event's data. An event of an
 * unknown type loses all of its data.
 */
export const redactEvent = ({ data, type }: Pick<StoredEvent, "type" | "data">): unknown => {
  const schema = eventSchemas.get(type)
  return schema === undefined ? {} : redactPersonalFields(schema, data)
}
