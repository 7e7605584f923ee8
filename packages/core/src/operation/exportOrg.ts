/** Exports all of an org's data as one JSON object, read from one snapshot. Secrets are excluded. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import { usedExportLinkRefusal } from "../assistant/ExportLinks.ts"
import { AutomationView, automationView } from "../automation/Automation.ts"
import { Automations } from "../automation/Automations.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { ConversationView, conversationView } from "../conversation/ConversationView.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { makeLoadMessageAttachments, MessageView, messageView } from "../conversation/message/MessageView.ts"
import { SavedReplyStore, SavedReplyView, savedReplyView } from "../conversation/saved-reply/SavedReply.ts"
import { StaffConversations } from "../conversation/StaffConversations.ts"
import { CustomerStore, CustomerView, customerView } from "../customer/Customer.ts"
import { EventView, eventView } from "../event/Events.ts"
import { ClosureStore, ClosureView, closureView, toClosurePosition } from "../offering/closure/Closure.ts"
import { DiscountStore, DiscountWithUsesView, discountWithUsesView } from "../offering/discount/DiscountCode.ts"
import { Discounts, toDiscountWithUsesPosition } from "../offering/discount/Discounts.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { HoursEntryView, hoursEntryView, OfferingView, offeringView } from "../offering/OfferingView.ts"
import { Orgs } from "../org/Orgs.ts"
import { OrgView, orgView } from "../org/OrgView.ts"
import { LedgerEntryView, ledgerEntryView, LedgerStore } from "../payment/ledger/LedgerEntry.ts"
import { makeMarkTestEntries } from "../payment/ledger/toOnlineEntries.ts"
import { EventLog, type StoredEvent } from "../port/EventLog.ts"
import { largeRowPageSize, smallRowPageSize } from "../port/readInPages.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { ProposalStore, ProposalView, proposalView } from "../proposal/Proposal.ts"
import { type Refusal, refuseWithRetryAfter, unavailable } from "../Refusal.ts"
import { type BookedSession, SessionStore, SessionView, sessionView } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { WebhookStore, WebhookView, webhookView } from "../webhook/Webhook.ts"
import { type Position, toCreationPosition, toStartPosition } from "../wire/Cursor.ts"
import { withDescription } from "../wire/Field.ts"
import { Timestamp } from "../wire/View.ts"
import type { ChunkOf, Emit } from "./ResponseChunk.ts"

export const OrgExportView = Schema.Struct({
  version: withDescription("the version of the export format", Schema.Literal(1)),
  exported_at: withDescription("when the export was created", Timestamp),
  org: Schema.propertySignature(OrgView).annotations({ description: "the outfitter" }),
  offerings: withDescription("all offerings", Schema.Array(OfferingView)),
  hours: withDescription(
    "all opening hours, each with its offering",
    Schema.Array(Schema.Struct({ offering_id: BookingView.fields.offering_id, ...HoursEntryView.fields }))
  ),
  closures: withDescription("all closures", Schema.Array(ClosureView)),
  discounts: withDescription("all discount codes", Schema.Array(DiscountWithUsesView)),
  sessions: withDescription("all sessions", Schema.Array(SessionView)),
  customers: withDescription("all customers", Schema.Array(CustomerView)),
  bookings: withDescription("all bookings", Schema.Array(BookingView)),
  payments: withDescription("all entries, newest first", Schema.Array(LedgerEntryView)),
  conversations: withDescription("all conversations", Schema.Array(ConversationView)),
  messages: withDescription("all messages, including notes", Schema.Array(MessageView)),
  saved_replies: withDescription("all saved replies", Schema.Array(SavedReplyView)),
  automations: withDescription("all four", Schema.Array(AutomationView)),
  proposals: withDescription("all proposals, newest first", Schema.Array(ProposalView)),
  webhooks: withDescription("all webhooks, without secrets", Schema.Array(WebhookView)),
  events: withDescription("the last 1000 events", Schema.Array(EventView))
}).annotations({ identifier: "OrgExport" })

/** The number of newest events in an export. */
const maxEvents = 1000

/** The maximum number of concurrent exports per process. An org has at most one running export. */
const maxConcurrentExports = 2

/**
 * The time limits for one chunk and for the entire export. While the export's snapshot is open, the database keeps the
 * old versions of overwritten rows. PostgreSQL itself ends a transaction that has been idle for 5 seconds.
 */
const timeouts = { chunk: Duration.seconds(4), total: Duration.minutes(2) }

/**
 * Emits an org's export from one snapshot, a few rows at a time. An org can have one export at a time. Runs
 * `recordExport` after the export is admitted and before any data is read.
 */
export const exportOrg = Effect.gen(function*() {
  const withAttachments = yield* makeLoadMessageAttachments
  const automations = yield* Automations
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const conversations = yield* ConversationStore
  const { records: loadRecords } = yield* StaffConversations
  const customers = yield* CustomerStore
  const discounts = yield* DiscountStore
  const { withUses } = yield* Discounts
  const ledger = yield* LedgerStore
  const log = yield* EventLog
  const messages = yield* MessageStore
  const offerings = yield* OfferingStore
  const orgs = yield* Orgs
  const savedReplies = yield* SavedReplyStore
  const proposals = yield* ProposalStore
  const sessions = yield* SessionStore
  const webhooks = yield* WebhookStore
  const markTest = yield* makeMarkTestEntries
  const { snapshot } = yield* UnitOfWork
  /** The running exports by org. The value is the link, if any, that started the export. */
  const runningExports = new Map<string, string | undefined>()

  const emitAll = (orgId: string, emit: (chunk: OrgExportChunk) => Effect.Effect<void, Refusal<"unavailable">>) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      yield* emit({ name: "version", value: 1 })
      yield* emit({ name: "exported_at", value: Instant.format(now) })
      yield* emit({ name: "org", value: orgView(yield* orgs.get(orgId)) })

      const forEachOffering = forEachPage(
        largeRowPageSize,
        toCreationPosition,
        (after, limit) => offerings.list({ orgId, after, limit })
      )
      yield* forEachOffering((rows) => emit({ name: "offerings", rows: rows.map(offeringView) }))
      yield* forEachOffering((rows) =>
        emit({
          name: "hours",
          rows: rows.flatMap(({ hours, id }) => hours.map((entry) => ({ offering_id: id, ...hoursEntryView(entry) })))
        })
      )
      yield* forEachPage(smallRowPageSize, toClosurePosition, (after, limit) => closures.list({ orgId, after, limit }))(
        (rows) => emit({ name: "closures", rows: rows.map(closureView) })
      )
      yield* forEachPage(
        smallRowPageSize,
        toDiscountWithUsesPosition,
        (after, limit) => Effect.flatMap(discounts.list({ orgId, after, limit }), withUses)
      )((rows) => emit({ name: "discounts", rows: rows.map(discountWithUsesView) }))
      yield* forEachPage(
        smallRowPageSize,
        ({ session }: BookedSession) => toStartPosition(session),
        (after, limit) => sessions.list({ orgId, after, limit, now })
      )((rows) => emit({ name: "sessions", rows: rows.map(({ session }) => sessionView(session)) }))
      yield* forEachPage(
        largeRowPageSize,
        toCreationPosition,
        (after, limit) => customers.list({ orgId, after, limit })
      )((rows) => emit({ name: "customers", rows: rows.map(customerView) }))
      yield* forEachPage(
        smallRowPageSize,
        ({ booking }: BookingRecord) => toStartPosition(booking),
        (after, limit) => bookings.list({ orgId, order: "asc", after, limit })
      )((rows) => emit({ name: "bookings", rows: rows.map(bookingView) }))
      yield* forEachPage(smallRowPageSize, toCreationPosition, (after, limit) => ledger.list({ orgId, after, limit }))(
        (rows) =>
          Effect.flatMap(
            markTest(orgId, rows),
            (entries) => emit({ name: "payments", rows: entries.map(ledgerEntryView) })
          )
      )
      yield* forEachPage(
        smallRowPageSize,
        toCreationPosition,
        (after, limit) => conversations.all(orgId, after, limit)
      )((rows) =>
        Effect.flatMap(
          loadRecords(rows),
          (threads) => emit({ name: "conversations", rows: threads.map(conversationView) })
        )
      )
      yield* forEachPage(
        largeRowPageSize,
        toCreationPosition,
        (after, limit) => messages.list({ orgId, after, limit })
      )((rows) =>
        Effect.flatMap(withAttachments(rows), (items) =>
          emit({
            name: "messages",
            rows: items.map(({ attachments, message }) => messageView(message, attachments))
          }))
      )
      yield* emit({ name: "saved_replies", rows: (yield* savedReplies.list(orgId)).map(savedReplyView) })
      yield* emit({ name: "automations", rows: (yield* automations.list(orgId)).map(automationView) })
      yield* forEachPage(
        largeRowPageSize,
        toCreationPosition,
        (after, limit) => proposals.list({ orgId, after, limit })
      )((rows) => emit({ name: "proposals", rows: rows.map(proposalView) }))
      yield* emit({ name: "webhooks", rows: (yield* webhooks.list(orgId)).map(webhookView) })

      const [newest] = yield* log.latest(orgId, 1)
      // Start `maxEvents` events before the newest one. The result is exact because event IDs have no gaps and an
      // export includes events of any age.
      let after = Math.max(0, (newest?.id ?? 0) - maxEvents)
      let page: ReadonlyArray<StoredEvent>
      do {
        const query = { orgId, after, limit: largeRowPageSize, youngAfter: now, youngBefore: now }
        page = (yield* log.page(query)).events
        after = page.at(-1)?.id ?? after
        yield* emit({ name: "events", rows: page.map(eventView) })
      } while (page.length === largeRowPageSize)
    })

  return (
    actor: Actor["Type"],
    emit: Emit<OrgExportChunk>,
    recordExport: Effect.Effect<void, Refusal<"not_found">>
  ) => {
    const { orgId } = actor
    const link = actor._tag === "Application" ? actor.exportLink : undefined
    return Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (runningExports.has(orgId)) {
          return Effect.fail(
            link !== undefined && runningExports.get(orgId) === link ? usedExportLinkRefusal : refuseExport()
          )
        }
        if (runningExports.size >= maxConcurrentExports) {
          return Effect.fail(
            refuseExport("The server has reached its limit of concurrent exports. Retry after an export finishes.")
          )
        }
        runningExports.set(orgId, link)
        return Effect.void
      }),
      () => {
        const emitWithTimeout = (chunk: OrgExportChunk) =>
          Effect.zipRight(
            Effect.timeoutFail(emit(chunk), { duration: timeouts.chunk, onTimeout: makeTimeoutRefusal }),
            yieldToEventLoop
          )
        return Effect.zipRight(
          recordExport,
          Effect.timeoutFail(snapshot(emitAll(orgId, emitWithTimeout)), {
            duration: timeouts.total,
            onTimeout: makeTimeoutRefusal
          })
        )
      },
      () => Effect.sync(() => runningExports.delete(orgId))
    )
  }
})

export type OrgExportChunk = ChunkOf<typeof OrgExportView.Type>

/** Runs an effect on each page of a list. */
const forEachPage = <Row>(
  limit: number,
  positionOf: (row: Row) => Position,
  readPage: (after: Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
) =>
<E>(handleRows: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E>): Effect.Effect<void, E> => {
  const exportFrom = (after: Position | undefined): Effect.Effect<void, E> =>
    Effect.flatMap(readPage(after, limit), (rows) => {
      const last = rows.length < limit ? undefined : rows.at(-1)
      return last === undefined ? handleRows(rows) : Effect.zipRight(handleRows(rows), exportFrom(positionOf(last)))
    })
  return exportFrom(undefined)
}

const refuseExport = (message?: string) => refuseWithRetryAfter(10, "export_limited", message)

const makeTimeoutRefusal = () =>
  unavailable(
    `The export was interrupted. The client must read the response within ${
      Duration.toMinutes(timeouts.total)
    } minutes, without pauses longer than ` +
      `${Duration.toSeconds(timeouts.chunk)} seconds.`
  )
