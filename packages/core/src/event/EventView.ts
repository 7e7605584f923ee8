import * as Schema from "effect/Schema"
import { bookingEvents } from "../booking/bookingEvents.ts"
import { messageEvents } from "../conversation/message/MessageView.ts"
import { customerEvents } from "../customer/CustomerView.ts"
import { closureEvents } from "../offering/closure/Closure.ts"
import { discountEvents } from "../offering/discount/DiscountCode.ts"
import { offeringEvents } from "../offering/OfferingView.ts"
import { orgEvents } from "../org/OrgView.ts"
import { paymentEvents } from "../payment/ledger/LedgerEntry.ts"
import type { StoredEvent } from "../port/EventLog.ts"
import { sessionEvents } from "../session/Session.ts"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { dependsOn, exampleIds, Integer, Json, Timestamp } from "../wire/View.ts"

/** All event types, in the order of the reference. */
export const events = [
  ...bookingEvents,
  ...paymentEvents,
  ...messageEvents,
  ...sessionEvents,
  ...offeringEvents,
  ...closureEvents,
  ...discountEvents,
  ...customerEvents,
  ...orgEvents
] as const

export type EventType = (typeof events)[number]["type"]

export const eventTypes: ReadonlyArray<EventType> = events.map(({ type }) => type)

const dataOf = new Map<unknown, Schema.Schema.AnyNoContext>(events.map(({ data, type }) => [type, data]))

/** The API representation of an event. */
export const EventView = Schema.Struct({
  id: withDescription(
    "the event ID, sequential per outfitter and without gaps. Deliveries with the same ID contain the same event",
    Integer,
    45
  ),
  type: withDescription(
    "the event type. Future versions can add types",
    Schema.String,
    "booking.confirmed"
  ),
  data: withDescription(
    "the resource after the change",
    dependsOn(({ type }) => dataOf.get(type))(Json),
    { id: exampleIds.booking, status: "confirmed" }
  ),
  created_at: withDescription("when the event happened", Timestamp)
}).annotations({ identifier: "Event" })
export type EventView = typeof EventView.Type

export const eventView: (event: StoredEvent) => EventView = toView(EventView)
