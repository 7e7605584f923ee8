/**
 * Builds the side effects of a booking change: an event that contains the booking after the change, and an email task
 * for the guest.
 */
import type * as Event from "../port/Event.ts"
import type { NewEvent } from "../port/EventLog.ts"
import * as Task from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"
import type { Booking, BookingChange } from "./Booking.ts"
import { type BookingEvent, isEqualJson } from "./BookingDecider.ts"
import { bookingEvents, type BookingRecord, bookingView } from "./BookingView.ts"

/** The events and tasks to store with a change. */
export interface EventsAndTasks {
  readonly events: ReadonlyArray<NewEvent>
  readonly tasks: ReadonlyArray<Task.Task>
}

/** Builds the events and tasks for a change from `before` (null for a new booking) to `after`. */
export const buildEventsAndTasks = (change: {
  readonly before: Booking | null
  readonly after: BookingRecord
  readonly events: ReadonlyArray<BookingEvent>
  readonly now: Instant
  readonly newId: () => string
  /** Whether the guest gets an email about the change. */
  readonly isMailed?: boolean
  /** The kind of email sent for a cancellation. */
  readonly cancelMail?: Task.CancellationMailKind | undefined
}): EventsAndTasks => {
  const { after, before, cancelMail = "mail.cancelled", events, isMailed = true, newId, now } = change
  const taskKinds = (isMailed ? events.flatMap((event) => findMailKinds(before, event)) : [])
    .map((kind) => kind === "mail.cancelled" ? cancelMail : kind)
  return {
    events: events.map(findPublicType).flatMap((type) => type === undefined ? [] : [makeFeedEvent(after, type, now)]),
    tasks: taskKinds.map((kind) => makeBookingTask(after.booking, kind, newId(), now))
  }
}

type BookingEventPayload = Event.EventPayload<typeof bookingEvents>

/** Returns the type in the event feed, or undefined if the feed does not report the event. */
const findPublicType = (event: BookingEvent): BookingEventPayload["type"] | undefined =>
  event._tag === "booking.created"
    ? event.booking.status === "held" ? "booking.held" : "booking.confirmed"
    : bookingEvents.find(({ type }) => type === event._tag)?.type

const makeFeedEvent = (
  record: BookingRecord,
  type: BookingEventPayload["type"],
  now: Instant
): BookingEventPayload => ({
  orgId: record.booking.orgId,
  type,
  data: bookingView(record),
  person: record.booking.customerId,
  createdAt: now
})

export const makeBookingTask = (
  { id: subjectId, orgId }: Booking,
  kind: Task.TaskKind,
  id: string,
  dueAt: Instant
): Task.Task => Task.make({ id, kind, orgId, subjectId, dueAt })

// Returns the emails for an event. For a hold, the guest gets an email only if the hold must be confirmed through an
// emailed link. If a hold requires payment, the email is sent once its checkout URL is known. If a confirmed booking is
// paid, the guest gets no email. If a canceled booking is paid, an email announces the refund.
const findMailKinds = (before: Booking | null, event: BookingEvent): ReadonlyArray<Task.TaskKind> => {
  if (event._tag === "booking.created") {
    const { status, unproven } = event.booking
    return status === "confirmed" ? ["mail.confirmed"] : (unproven?.confirmIn ?? null) === null ? [] : ["mail.held"]
  }
  if (event._tag === "booking.updated") {
    return before !== null && isRelevantToGuest(before, event.to)
      ? ["mail.updated"]
      : []
  }
  return event._tag === "booking.confirmed" && before?.status === "confirmed" ? [] : mailKindsByEvent[event._tag] ?? []
}

/** Returns whether a change matters to the guest: whether it affects the party, the extras, or the total. */
const isRelevantToGuest = (
  before: Booking,
  { price = before.price, quantity = before.quantity, totalCents = before.totalCents }: BookingChange
): boolean =>
  quantity !== before.quantity || totalCents !== before.totalCents ||
  !isEqualJson(price?.extras ?? [], before.price?.extras ?? []) ||
  before.price !== null && !isEqualJson(price?.party, before.price.party)

const mailKindsByEvent: Partial<Record<BookingEvent["_tag"], ReadonlyArray<Task.TaskKind>>> = {
  "booking.confirmed": ["mail.confirmed"],
  "booking.moved": ["mail.moved"],
  "booking.cancelled": ["mail.cancelled"],
  "payment.returned": ["mail.returned"]
}
