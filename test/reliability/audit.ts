/**
 * Compares the responses to guests and followers with the database. The function is pure, so that tests can pass
 * corrupted data and check the findings.
 */
import { type BookingView, bookingView } from "@trailbook/core/booking"
import { findCapacityViolations } from "@trailbook/testkit/invariant/findCapacityViolations"
import type { OrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { findViolations } from "@trailbook/testkit/invariants"
import type { Findings } from "./Findings.ts"
import type { Event } from "./follow.ts"
import type { Booked, BookingState, Order } from "./Order.ts"

export interface Testimony {
  readonly orders: ReadonlyArray<Order>
  /** The events that each follower received. */
  readonly feeds: ReadonlyArray<ReadonlyArray<Event>>
  readonly stored: OrgSnapshot
}

export const audit = ({ feeds, orders, stored }: Testimony): Findings => {
  const bookings = stored.records.map(bookingView)
  const byId = new Map(bookings.map((booking) => [booking.id, booking]))
  const byKey = new Map<string, Array<BookingView>>()
  for (const booking of bookings) byKey.set(booking.notes, [...(byKey.get(booking.notes) ?? []), booking])
  const knownKeys = new Set(orders.map(({ key }) => key))
  const oversold = findCapacityViolations(stored)
  return {
    lost: orders.flatMap((order) =>
      order.answer.kind === "booked" ? findLost(order, order.answer, byId.get(order.answer.id)) : []
    ),
    double: [
      ...oversold,
      ...[...byKey].filter(([, same]) => same.length > 1).map(([key, same]) =>
        `order ${key} is booked ${same.length} times`
      )
    ],
    holes: [
      ...findGaps("the database", stored.events),
      ...feeds.flatMap((events, at) => checkFeed(at, events, stored.events))
    ],
    others: [
      ...orders.flatMap(({ complaints, key }) => complaints.map((complaint) => `order ${key}: ${complaint}`)),
      ...orders.flatMap((order) => (byKey.get(order.key) ?? []).flatMap((booking) => findUnexplained(order, booking))),
      ...bookings.filter(({ notes }) => !knownKeys.has(notes)).map(({ reference }) =>
        `booking ${reference} matches no order`
      ),
      ...findViolations(stored).filter((sentence) => !oversold.includes(sentence))
    ]
  }
}

const findLost = (order: Order, acknowledged: Booked, booking: BookingView | undefined): ReadonlyArray<string> => {
  const name = `booking ${acknowledged.reference} (order ${order.key})`
  if (booking === undefined) return [`${name} is missing`]
  const { now } = acknowledged
  return [
    ...(listStatuses(order, now).includes(booking.status)
      ? []
      : [`${name} was acknowledged as ${now.status} but is ${booking.status}`]),
    ...(listStarts(order, now).includes(placeOf(booking.starts_at, booking.session_id))
      ? []
      : [`${name} was acknowledged for ${now.startsAt} but starts at ${booking.starts_at}`]),
    ...(booking.quantity === order.quantity && booking.total_cents === acknowledged.totalCents &&
        booking.reference === acknowledged.reference
      ? []
      : [`${name} differs from the acknowledged quantity, price, or reference`])
  ]
}

/**
 * Returns the statuses that a booking can have: the acknowledged status, and any status that a timed-out request may
 * have set.
 */
const listStatuses = ({ late }: Order, { status }: BookingState): ReadonlyArray<BookingState["status"]> => [
  status,
  ...(late.some(({ kind }) => kind === "cancel") ? ["cancelled" as const] : []),
  ...(status === "held" && late.some(({ kind }) => kind === "confirm") ? ["confirmed" as const] : [])
]

const listStarts = ({ late }: Order, { sessionId, startsAt }: BookingState): ReadonlyArray<string> => [
  placeOf(startsAt, sessionId),
  ...late.flatMap((wish) => wish.kind === "move" ? [placeOf(wish.to.startsAt, wish.to.sessionId)] : [])
]

const placeOf = (startsAt: string, sessionId: string | null): string => `${startsAt} ${sessionId}`

/**
 * Returns a finding for an unexpected booking. A refused order must have no booking, unless one of its attempts timed
 * out and can succeed after the refusal.
 */
const findUnexplained = ({ answer, key, late }: Order, { id, reference }: BookingView): ReadonlyArray<string> => {
  if (answer.kind === "refused" && !late.some(({ kind }) => kind === "book")) {
    return [`order ${key} was refused but is booked as ${reference}`]
  }
  return answer.kind === "booked" && answer.id !== id ? [`order ${key} is also booked as ${reference}`] : []
}

const findGaps = (whose: string, events: ReadonlyArray<{ readonly id: number }>): ReadonlyArray<string> =>
  events.flatMap(({ id }, at) => id === at + 1 ? [] : [`${whose}: found event ${id} in place of ${at + 1}`])

/** Checks that a follower received each event once, in order, and as stored. */
const checkFeed = (
  follower: number,
  events: ReadonlyArray<Event>,
  storedEvents: OrgSnapshot["events"]
): ReadonlyArray<string> => [
  ...findGaps(`follower ${follower}`, events),
  ...events.flatMap(({ data, id, type }) => {
    const row = storedEvents[id - 1]
    return row !== undefined && row.type === type && isSame(row.data, data)
      ? []
      : [`follower ${follower} received event ${id} (${type}), which is missing or different in the database`]
  })
]

/** Compares values deeply. Databases may return the fields of an object in any order. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  const fields = Object.entries(a)
  return fields.length === Object.keys(b).length && fields.every(([name, value]) => isSame(value, Reflect.get(b, name)))
}
