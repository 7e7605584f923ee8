/**
 * Everything an outfitter owns, in one JSON object of one moment (§4.9, decision
 * 9.8). Secrets stay out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { BookingView, bookingView } from "../booking/BookingView.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { CustomerView, customerView } from "../customer/CustomerView.ts"
import { EventView, eventView } from "../event/EventView.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { HoursEntryView, hoursEntryView, OfferingView, offeringView } from "../offering/OfferingView.ts"
import { Orgs } from "../org/Orgs.ts"
import { OrgView, orgView } from "../org/OrgView.ts"
import { EventLog } from "../port/EventLog.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { SessionView, sessionView } from "../session/SessionView.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { WebhookStore } from "../webhook/WebhookStore.ts"
import { WebhookView, webhookView } from "../webhook/WebhookView.ts"
import { Id, Json, Timestamp } from "../wire/View.ts"

const nothingYet = Schema.Array(Json)

/**
 * @since 0.1.0
 * @category schemas
 */
export const OrgExportView = Schema.Struct({
  version: Schema.Literal(1),
  exported_at: Timestamp,
  org: OrgView,
  offerings: Schema.Array(OfferingView),
  hours: Schema.Array(Schema.Struct({ offering_id: Id, ...HoursEntryView.fields })),
  sessions: Schema.Array(SessionView),
  customers: Schema.Array(CustomerView),
  bookings: Schema.Array(BookingView),
  conversations: nothingYet,
  messages: nothingYet,
  saved_replies: nothingYet,
  automations: nothingYet,
  proposals: nothingYet,
  webhooks: Schema.Array(WebhookView),
  events: Schema.Array(EventView)
}).annotations({ identifier: "OrgExport" })

/** The newest events that an export holds (§8). */
const maxEvents = 1000

const all = { from: undefined, to: undefined, status: undefined, after: undefined, limit: Number.MAX_SAFE_INTEGER }

/**
 * @since 0.1.0
 * @category reading
 */
export const exportOrg = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* Orgs
  const sessions = yield* SessionStore
  const webhooks = yield* WebhookStore
  const { snapshot } = yield* UnitOfWork

  return (orgId: string) =>
    snapshot(Effect.gen(function*() {
      const now = yield* moment
      const org = yield* orgs.get(orgId)
      const offered = yield* offerings.list({ ...all, orgId, kind: undefined })
      const scheduled = yield* sessions.list({ ...all, orgId, offeringId: undefined, now })
      const booked = yield* bookings.list({
        ...all,
        orgId,
        offeringId: undefined,
        customerId: undefined,
        sessionId: undefined,
        order: "asc"
      })
      const guests = yield* customers.list({ ...all, orgId, q: undefined })
      const endpoints = yield* webhooks.list(orgId)
      const events = yield* log.latest(orgId, maxEvents)
      return {
        version: 1 as const,
        exported_at: Instant.format(now),
        org: orgView(org),
        offerings: offered.map(offeringView),
        hours: offered.flatMap(({ hours, id }) =>
          hours.map((entry) => ({ offering_id: id, ...hoursEntryView(entry) }))
        ),
        sessions: scheduled.map(({ session }) => sessionView(session)),
        customers: guests.toReversed().map(customerView),
        bookings: booked.map(bookingView),
        conversations: [],
        messages: [],
        saved_replies: [],
        automations: [],
        proposals: [],
        webhooks: endpoints.map(webhookView),
        events: events.map(eventView)
      }
    }))
})
