/**
 * Checks each booking's history as recorded in its events. A booking starts out held or confirmed. Once canceled, it
 * can only be restored, and only within 24 hours. Its reference and handle never change. Only `booking.updated` changes
 * the quantity and price. Only a move changes the place, and it records the previous place. Attendance is recorded only
 * for a confirmed booking. A move or a cancellation clears the attendance, and a smaller party lowers the number of
 * arrivals. `confirmed_at` is the time of the first confirmation. Every event sets `updated_at`, which never decreases.
 */
import { bookingStatuses, BookingView } from "@trailbook/core/booking"
import type { StoredEvent } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { OrgSnapshot } from "./OrgSnapshot.ts"

/** A booking as of an event. */
export interface BookingEvent {
  readonly event: StoredEvent
  readonly now: BookingView
  /** The booking as of its previous event. */
  readonly before: BookingView | undefined
}

const decode = Schema.decodeUnknownEither(BookingView)

/** Returns the booking events in ID order. */
export const toBookingEvents = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<BookingEvent> => {
  const last = new Map<string, BookingView>()
  return events.filter(({ type }) => type.startsWith("booking.")).flatMap((event) => {
    const view = decode(event.data)
    if (Either.isLeft(view)) return []
    const before = last.get(view.right.id)
    last.set(view.right.id, view.right)
    return [{ event, now: view.right, before }]
  })
}

export const findHistoryViolations = ({ events, records, sessions, offerings }: OrgSnapshot): ReadonlyArray<string> => [
  ...events.filter(({ data, type }) => type.startsWith("booking.") && Either.isLeft(decode(data))).map(({ id }) =>
    `event ${id} does not contain a booking`
  ),
  ...toBookingEvents(events).flatMap((event) =>
    checkEvent(event).map((sentence) =>
      `event ${event.event.id} (${event.event.type} of ${event.now.reference}): ${sentence}`
    )
  ),
  ...findOutdated(records, toBookingEvents(events)),
  ...records.flatMap(({ booking: { offeringId, reference, sessionId, startsAt, status } }) => {
    if (status === "cancelled") return []
    const session = sessions.find(({ id }) => id === sessionId)
    const deletedAt = offerings.find(({ id }) => id === offeringId)?.deletedAt ?? null
    return [
      ...(session?.status === "cancelled" ? [`booking ${reference} is ${status} in a canceled session`] : []),
      ...(deletedAt !== null && startsAt > deletedAt
        ? [`booking ${reference} is ${status}, but its offering is deleted`]
        : [])
    ]
  })
]

const checkEvent = (event: BookingEvent): ReadonlyArray<string> => {
  const { before, event: { type }, now } = event
  if (before === undefined) {
    return type === "booking.held" || type === "booking.confirmed"
      ? [...checkStatus(type, now), ...checkTimes(event)]
      : ["the booking was never held or confirmed"]
  }
  if (before.status === "cancelled" && !(type === "booking.confirmed" && isRecent(before, event.event))) {
    return ["the booking was already canceled"]
  }
  return [
    ...checkStatus(type, now),
    ...checkTimes(event),
    ...checkFixedFields(type, before, now),
    ...checkAttendance(type, before, now),
    ...(type === "booking.moved" ? checkMoved(before, now) : checkUnmoved(type, before, now))
  ]
}

/** Returns whether a booking was canceled at most 24 hours before an event. */
const isRecent = ({ cancelled_at }: BookingView, { createdAt }: StoredEvent): boolean =>
  createdAt - Date.parse(cancelled_at ?? "") <= 24 * 3_600_000

/** Checks the status after an event. */
const checkStatus = (type: StoredEvent["type"], now: BookingView): ReadonlyArray<string> => {
  const expected = bookingStatuses.find((status) => type === `booking.${status}`)
  return [
    ...(expected !== undefined && now.status !== expected ? [`the status is ${now.status}`] : []),
    ...((now.status === "held") === (now.expires_at !== null)
      ? []
      : ["an expiry time must exist if and only if the booking is held"]),
    ...((now.status === "cancelled") === (now.cancelled_at !== null)
      ? []
      : ["a cancellation time must exist if and only if the booking is canceled"])
  ]
}

/** Checks the confirmation time and the last change time. Timestamps in API format compare as text. */
const checkTimes = ({ before, event, now }: BookingEvent): ReadonlyArray<string> => {
  const at = Instant.format(event.createdAt)
  const confirmedAt = before?.confirmed_at ?? (now.status === "confirmed" ? at : null)
  return [
    ...(now.confirmed_at === confirmedAt ? [] : [`confirmed_at is ${now.confirmed_at} instead of ${confirmedAt}`]),
    ...(now.updated_at >= at ? [] : [`updated_at is ${now.updated_at}, which is before the event`]),
    ...(before === undefined || now.updated_at >= before.updated_at ? [] : ["updated_at decreased"])
  ]
}

/**
 * Returns a violation for each booking whose `updatedAt` is earlier than its last event. Changes without an event, such
 * as an erasure, also set `updatedAt`.
 */
const findOutdated = (
  records: OrgSnapshot["records"],
  bookingEvents: ReadonlyArray<BookingEvent>
): ReadonlyArray<string> => {
  const last = new Map(bookingEvents.map(({ now }) => [now.id, now.updated_at]))
  return records.flatMap(({ booking: { id, reference, updatedAt } }) =>
    Instant.format(updatedAt) >= (last.get(id) ?? "")
      ? []
      : [`updated_at of booking ${reference} is before its last event`]
  )
}

const fixedFields = [
  "org_id",
  "offering_id",
  "customer_id",
  "reference",
  "handle",
  "check_in_url",
  "source",
  "created_at"
] as const

const partyFields = ["quantity", "total_cents"] as const

const checkFixedFields = (type: StoredEvent["type"], before: BookingView, now: BookingView): ReadonlyArray<string> =>
  [...fixedFields, ...(type === "booking.updated" ? [] : partyFields)].filter((field) => before[field] !== now[field])
    .map((
      field
    ) => `${field} changed`)

const attendanceTypes: ReadonlySet<string> = new Set(["booking.checked_in", "booking.no_show"])

const checkAttendance = (type: StoredEvent["type"], before: BookingView, now: BookingView): ReadonlyArray<string> => {
  const status = now.attendance === null ? "none" : `booking.${now.attendance.status}`
  if (attendanceTypes.has(type)) {
    return [
      ...(now.status === "confirmed" ? [] : [`attendance was recorded while the booking was ${now.status}`]),
      ...(status === type ? [] : [`the attendance is ${status}`])
    ]
  }
  if (type === "booking.updated") {
    const arrived = Math.min(before.attendance?.arrived ?? 0, now.quantity)
    const expected = before.attendance && { ...before.attendance, arrived }
    return JSON.stringify(expected) === JSON.stringify(now.attendance) ? [] : ["the attendance changed"]
  }
  if (type !== "booking.confirmed") return now.attendance === null ? [] : ["the attendance was not cleared"]
  return JSON.stringify(before.attendance) === JSON.stringify(now.attendance) ? [] : ["the attendance changed"]
}

const describePlace = ({ ends_at, session_id, starts_at }: Pick<BookingView, "starts_at" | "ends_at" | "session_id">) =>
  `${starts_at} to ${ends_at} in ${session_id}`

const checkMoved = (before: BookingView, now: BookingView): ReadonlyArray<string> => [
  ...(before.status === now.status ? [] : [`the status changed from ${before.status} to ${now.status}`]),
  ...(before.expires_at === now.expires_at ? [] : ["the hold's expiry time changed"]),
  ...(describePlace(before) === describePlace(now) ? ["the place did not change"] : []),
  ...(now.previous !== undefined && describePlace(now.previous) === describePlace(before)
    ? []
    : ["the previous field does not match the place before the move"])
]

const checkUnmoved = (type: StoredEvent["type"], before: BookingView, now: BookingView): ReadonlyArray<string> => [
  ...(describePlace(before) === describePlace(now) ? [] : ["the booking moved"]),
  ...(JSON.stringify(before.previous) === JSON.stringify(now.previous) ? [] : ["the previous place changed"]),
  ...(now.status === "held" && type !== "booking.updated" ? ["the booking was already held"] : []),
  ...(type === "booking.confirmed" && before.status === "confirmed" && before.paid_at === now.paid_at
    ? ["the booking was already confirmed"]
    : [])
]
