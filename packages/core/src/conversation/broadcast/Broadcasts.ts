/**
 * Sends a message to many guests, each of whom receives it once.
 *
 * A row stores the broadcast and its progress. Guests are processed in batches, and each batch updates the progress in
 * its transaction. After a crash, a repeated request or a task continues after the last batch. If the same text is sent
 * to the same target again within 24 hours, it counts as the same broadcast.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { MessageAuthor } from "../../actor/Actor.ts"
import { isLive } from "../../booking/Booking.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import { yieldToEventLoop } from "../../concurrency/scheduler.ts"
import { type Customer, CustomerStore, getContactEmail } from "../../customer/Customer.ts"
import { ChunkSize, defineJob, type JobRunner } from "../../job/defineJob.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { Ids } from "../../port/Ids.ts"
import { PublicUrl } from "../../port/PublicUrl.ts"
import { readInPages } from "../../port/readInPages.ts"
import { retryOnConflict, UnitOfWork } from "../../port/UnitOfWork.ts"
import { invalid, type Refusal } from "../../Refusal.ts"
import { SessionStore } from "../../session/Session.ts"
import { makeStaffNotificationTasks } from "../../staff/Notifier.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import * as Task from "../../task/Task.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import * as Zone from "../../time/Zone.ts"
import type { Position } from "../../wire/Cursor.ts"
import { ConversationWriter } from "../ConversationWriter.ts"
import { makeMessageEvent } from "../message/MessageView.ts"
import {
  explainMissingVariable,
  findMissingVariableNames,
  getBookingTemplateValues,
  renderTemplate,
  sampleTemplateValues
} from "../saved-reply/SavedReply.ts"
import {
  type Broadcast,
  BroadcastStore,
  type BroadcastTarget,
  formatCancellations,
  isAboutDeparture,
  isSessionCancellation
} from "./Broadcast.ts"

/** The requested recipients. */
export type BroadcastAudience =
  | { readonly sessionId: string }
  | { readonly date: LocalDate.LocalDate }
  | { readonly offeringId: string }

/** The guests that a broadcast would reach. */
export interface BroadcastRecipients {
  readonly count: number
  /** The number of guests who are skipped because they have no email address, such as erased guests. */
  readonly erased: number
  /** The first few of the counted guests. */
  readonly people: ReadonlyArray<Pick<Customer, "id" | "name" | "email">>
}

export interface BroadcastRequest {
  readonly orgId: string
  readonly audience: BroadcastAudience
  readonly subject: string
  readonly body: string
  readonly sentBy: MessageAuthor
}

type Refusals = Refusal<"not_found">

export class Broadcasts extends Context.Tag("@trailbook/core/Broadcasts")<
  Broadcasts,
  {
    /**
     * Starts or resumes a broadcast, and returns once all messages are written. Inside the caller's transaction, the
     * broadcast is only started. Variables are filled in only in text from the dashboard or the ops agent. Text from
     * the dashboard is refused if a variable has no value.
     */
    readonly send: (announcement: BroadcastRequest) => Effect.Effect<Broadcast, Refusals | Refusal<"invalid_request">>
    /** Returns the variables in these texts that have no value for at least one guest. */
    readonly findMissing: (
      query: Pick<BroadcastRequest, "orgId" | "audience"> & { readonly texts: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<string>, Refusals>
    /** Returns the guests that a broadcast would reach now, including the names of up to `names` guests. */
    readonly addressees: (
      query: Pick<BroadcastRequest, "orgId" | "audience"> & { readonly names: number }
    ) => Effect.Effect<BroadcastRecipients, Refusals>
    readonly job: JobRunner<Broadcast>
  }
>() {
  static readonly layer = Layer.effect(Broadcasts, Effect.suspend(() => makeBroadcasts))
}

const makeBroadcasts = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const conversationWriter = yield* ConversationWriter
  const customers = yield* CustomerStore
  const ids = yield* Ids
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const publicUrl = yield* PublicUrl
  const sessions = yield* SessionStore
  const staff = yield* StaffStore
  const store = yield* BroadcastStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  const resolveTarget = (
    orgId: string,
    audience: BroadcastAudience,
    now: Instant.Instant
  ): Effect.Effect<BroadcastTarget, Refusals> =>
    Effect.gen(function*() {
      if ("sessionId" in audience) {
        const { sessionId: id } = audience
        return yield* Effect.as(Effect.flatMap(sessions.lock([{ orgId, id }]), failIfNotFound("session", id)), audience)
      }
      if ("offeringId" in audience) {
        const { offeringId: id } = audience
        yield* Effect.flatMap(offerings.find([{ orgId, id }]), failIfNotFound("offering", id))
        return { ...audience, from: now }
      }
      const org = yield* Effect.flatMap(orgs.find(orgId), failIfNotFound("org", orgId))
      const zone = Zone.get(org.timezone)
      return { from: zone.startOf(audience.date), to: zone.startOf(LocalDate.addDays(audience.date, 1)) }
    })

  const begin = ({ audience, body, orgId, sentBy, subject }: BroadcastRequest) =>
    Effect.gen(function*() {
      const key = ids.digest(JSON.stringify([audience, subject, body]))
      // Lock the session before the broadcast.
      const target = yield* resolveTarget(orgId, audience, yield* currentTime)
      const existing = Option.getOrUndefined(yield* store.lockByKey(orgId, key))
      const now = yield* currentTime
      if (existing !== undefined && now < Instant.addMinutes(existing.beganAt, duplicateWindowMinutes)) {
        return { job: existing }
      }
      // The earlier broadcast is too old to count as the same broadcast, so it releases its key.
      if (existing !== undefined) yield* store.put({ ...existing, key: `${key} ${existing.id}` })
      const broadcast: Broadcast = {
        orgId,
        key,
        id: ids.uuid(),
        target,
        subject,
        body,
        sentBy,
        beganAt: now,
        after: "",
        sent: 0,
        skipped: 0,
        failed: 0,
        doneAt: null
      }
      yield* store.put(broadcast)
      // If this process crashes, a task resumes the broadcast after a minute.
      const dueAt = Instant.addMinutes(now, 1)
      yield* tasks.add([
        Task.make({ id: ids.uuid(), orgId, kind: "broadcast", subjectId: broadcast.id, dueAt })
      ])
      return { job: broadcast }
    })

  /**
   * Returns the IDs of all recipients, in order. An offering can have 50,000 bookings, so the recipients are read
   * in pages, outside the transactions that write.
   */
  const loadCustomerIds = (orgId: string, target: BroadcastTarget): Effect.Effect<ReadonlyArray<string>> =>
    Effect.map(
      readInPages({
        limit: Infinity,
        atOnce: pageSize,
        positionOf: (booking: Position & { readonly customerId: string }) => booking,
        read: (after, limit) => store.listConfirmedBookings({ orgId, target, after, limit })
      }),
      (rows) => [...new Set(rows.map(({ customerId }) => customerId))].sort()
    )

  /**
   * Returns the texts for the guests on these bookings. A cancellation also lists all of the guest's bookings in
   * the session.
   */
  const renderTexts = (broadcast: Broadcast, org: Org, bookingIds: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      if (!hasVariables(broadcast.sentBy)) return []
      const { orgId, target } = broadcast
      const records = new Map(
        (yield* bookings.find(bookingIds.map((id) => ({ orgId, id })))).map((row) => [row.booking.id, row])
      )
      const offeringsById = new Map(
        (yield* offerings.find([...records.values()].map(({ booking }) => ({ orgId, id: booking.offeringId }))))
          .map((offering) => [offering.id, offering])
      )
      return yield* Effect.forEach(bookingIds, (id) =>
        Effect.gen(function*() {
          const record = records.get(id)
          if (record === undefined) return broadcast
          const offering = offeringsById.get(record.booking.offeringId)
          const values = getBookingTemplateValues(record, offering, org, publicUrl)
          const text = {
            subject: renderTemplate(broadcast.subject, values),
            body: renderTemplate(broadcast.body, values)
          }
          if (!isSessionCancellation(broadcast) || !("sessionId" in target)) return text
          const { customerId } = record.booking
          const rows = yield* bookings.list({
            orgId,
            customerId,
            sessionId: target.sessionId,
            order: "asc",
            limit: pageSize
          })
          const canceledRows = rows.filter(({ booking }) => isLive(booking, broadcast.beganAt))
          return { ...text, body: `${text.body}\n\n${formatCancellations(canceledRows, offering, org, publicUrl)}` }
        }))
    })

  /** Writes messages to the next batch of guests, under the broadcast lock, so that no message is written twice. */
  const step = (key: OrgKey, remainingIds: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const broadcast = Option.getOrUndefined(yield* store.lock(key))
      if (broadcast === undefined || broadcast.doneAt !== null) return { job: broadcast }
      const { body, id: broadcastId, orgId, sentBy, subject, target } = broadcast
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
      // By now, another process may have resumed the broadcast, and bookings may have been canceled.
      const size = yield* ChunkSize
      const chunkIds = remainingIds.slice(0, size).filter((id) => id > broadcast.after)
      const next = remainingIds.length > size ? remainingIds.slice(size) : undefined
      const guests = yield* store.guests({ orgId, target, among: chunkIds })
      const customerRows = yield* customers.lock(guests.map(({ customerId: id }) => ({ orgId, id })))
      const customersById = new Map(customerRows.map((customer) => [customer.id, customer]))
      const now = yield* currentTime
      const recipients = guests.flatMap(({ bookingId, customerId }) => {
        const customer = customersById.get(customerId)
        return customer === undefined || getContactEmail(customer) === "" ? [] : [{ bookingId, customer }]
      })
      const conversations = yield* conversationWriter.ofCustomers(recipients.map(({ customer }) => customer))
      const texts = yield* renderTexts(broadcast, org, recipients.map(({ bookingId }) => bookingId))
      const messages = yield* conversationWriter.addOutbound(conversations.map((conversation, at) => ({
        conversation,
        id: ids.uuid(),
        body: texts[at]?.body ?? body,
        subject: (texts[at]?.subject ?? subject) || `A message from ${org.name}`,
        bookingId: recipients[at]?.bookingId ?? null,
        sentBy,
        channel: sentBy === "agent" ? "system" : "email",
        kind: "message",
        broadcastId,
        // An email to this address failed permanently, and none has been delivered since.
        ...(conversation.bouncedAt === null ? {} : { failedAt: now, failure: "The address failed before." })
      })))
      const mailableMessages = messages.filter(({ failedAt }) => failedAt === null)
      const updatedBroadcast: Broadcast = {
        ...broadcast,
        after: chunkIds.at(-1) ?? broadcast.after,
        sent: broadcast.sent + mailableMessages.length,
        skipped: broadcast.skipped + guests.length - recipients.length,
        failed: broadcast.failed + messages.length - mailableMessages.length,
        doneAt: next === undefined ? now : null
      }
      yield* store.put(updatedBroadcast)
      yield* tasks.add(mailableMessages.map(({ id }) =>
        Task.make({ id: ids.uuid(), orgId, kind: "mail.message", queue: "bulk", subjectId: id, dueAt: now })
      ))
      const failedMessages = isAboutDeparture(broadcast)
        ? messages.filter(({ failedAt }) =>
          failedAt !== null
        )
        : []
      if (failedMessages.length > 0) {
        const staffMembers = yield* staff.list(orgId)
        yield* tasks.add(failedMessages.flatMap(({ id: aboutId }) =>
          makeStaffNotificationTasks(ids, staffMembers, { kind: "mail.staff", orgId, aboutId, dueAt: now })
        ))
      }
      yield* log.append(messages.map((row) =>
        makeMessageEvent(row)
      ))
      return { job: updatedBroadcast, next }
    })

  const job = yield* defineJob({
    find: (key: OrgKey) =>
      Effect.map(
        store.find(key),
        (broadcast) => Option.getOrUndefined(Option.filter(broadcast, ({ doneAt }) => doneAt === null))
      ),
    from: ({ after, doneAt, orgId, target }: Broadcast) =>
      doneAt === null
        ? Effect.map(loadCustomerIds(orgId, target), (ids) => ids.filter((id) => id > after))
        : Effect.succeed([]),
    step: (broadcast, remainingIds) => retryOnConflict(run(step(broadcast, remainingIds))),
    // A chunk takes a few milliseconds. Waiting requests run between chunks, so no pause is needed.
    pause: () => Effect.void
  })

  /**
   * Returns all recipients' offerings. They are needed only for the meeting point, because no other variable can be
   * empty.
   */
  const loadOfferings = (orgId: string, target: BroadcastTarget) =>
    Effect.gen(function*() {
      if ("offeringId" in target) return yield* offerings.find([{ orgId, id: target.offeringId }])
      const offeringIds = new Set<string>()
      let after: Position | undefined
      while (true) {
        const page = yield* store.listConfirmedBookings({ orgId, target, after, limit: pageSize })
        const records = yield* bookings.find(page.map(({ id }) => ({ orgId, id })))
        for (const { booking } of records) offeringIds.add(booking.offeringId)
        after = page.at(-1)
        // All bookings in a session have the same offering.
        if (page.length < pageSize || "sessionId" in target) break
        yield* yieldToEventLoop
      }
      return yield* offerings.find([...offeringIds].map((id) => ({ orgId, id })))
    })

  const findMissingVariables: Broadcasts["Type"]["findMissing"] = ({ audience, orgId, texts }) =>
    Effect.gen(function*() {
      const text = texts.join("\n")
      const missingNames = findMissingVariableNames(text, sampleTemplateValues)
      if (!text.includes("{meeting_point}")) return missingNames
      const target = yield* run(resolveTarget(orgId, audience, yield* currentTime))
      const targetOfferings = yield* loadOfferings(orgId, target)
      return targetOfferings.every(({ location }) => location !== "")
        ? missingNames
        : [...missingNames, "meeting_point"]
    })

  const checkVariables = ({ body, sentBy, subject, ...query }: BroadcastRequest) =>
    Effect.gen(function*() {
      if (sentBy !== "dashboard") return
      for (const [field, text] of [["subject", subject], ["body", body]] as const) {
        const [name] = yield* findMissingVariables({ ...query, texts: [text] })
        if (name !== undefined) return yield* invalid(`${field}: ${explainMissingVariable(name)}`)
      }
    })

  const addressees: Broadcasts["Type"]["addressees"] = ({ audience, names, orgId }) =>
    Effect.gen(function*() {
      const target = yield* run(resolveTarget(orgId, audience, yield* currentTime))
      const customerIds = yield* loadCustomerIds(orgId, target)
      const people: Array<BroadcastRecipients["people"][number]> = []
      let count = 0
      for (let start = 0; start < customerIds.length; start += pageSize) {
        const rows = yield* customers.find(customerIds.slice(start, start + pageSize).map((id) => ({ orgId, id })))
        const reachableGuests = rows.filter((customer) => getContactEmail(customer) !== "")
        people.push(
          ...reachableGuests.slice(0, names - people.length).map(({ email, id, name }) => ({ email, id, name }))
        )
        count += reachableGuests.length
        yield* yieldToEventLoop
      }
      return { count, erased: customerIds.length - count, people }
    })

  return Broadcasts.of({
    addressees,
    findMissing: findMissingVariables,
    send: (announcement) =>
      Effect.gen(function*() {
        yield* checkVariables(announcement)
        return (yield* job.start(retryOnConflict(run(begin(announcement))))).job
      }),
    job
  })
})

/** Returns whether variables in the text are filled in. Text from the API is sent unchanged. */
const hasVariables = (sentBy: MessageAuthor): boolean => sentBy === "dashboard" || sentBy === "agent"

/** The page size for reading bookings or guests. */
const pageSize = 500

/** Within this time, sending the same text to the same target again counts as the same broadcast. */
const duplicateWindowMinutes = 24 * 60
