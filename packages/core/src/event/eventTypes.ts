import { bookingEvents } from "../booking/bookingEvents.ts"
import { messageEvents } from "../conversation/message/messageEvents.ts"
import { customerEvents } from "../customer/customerEvents.ts"
import { closureEvents } from "../offering/closure/ClosureView.ts"
import { discountEvents } from "../offering/discount/DiscountView.ts"
import { offeringEvents } from "../offering/offeringEvents.ts"
import { orgEvents } from "../org/orgEvents.ts"
import { paymentEvents } from "../payment/ledger/LedgerEntryView.ts"
import { sessionEvents } from "../session/sessionEvents.ts"

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
