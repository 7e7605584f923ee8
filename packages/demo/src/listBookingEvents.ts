/**
 * Places an order from the season by calling operations. Every step is idempotent. A refused step is skipped, because
 * the user may have changed the outfitter's setup in the meantime.
 */
import type { Refusal } from "@trailbook/core"
import { Bookings, bookingsCancel, bookingsCreate, bookingsMove } from "@trailbook/core/booking"
import type { Registry } from "@trailbook/core/operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import type { Zone } from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { callOperation } from "./callOperation.ts"
import { toDemoPaymentId } from "./DemoPayments.ts"
import type { Departure, PlannedBooking, TripKey } from "./season.ts"

/** The outfitter's current offerings and sessions. */
export interface DemoOrg {
  readonly orgId: string
  readonly zone: Zone
  readonly offerings: Readonly<Record<TripKey, string>>
  /** The session IDs of scheduled departures, by {@link makeDepartureKey}. */
  readonly sessions: ReadonlyMap<string, string>
}

export const getDepartureStart = (zone: Zone, { date, time }: Pick<Departure, "date" | "time">): Instant.Instant =>
  zone.instantAt(date, LocalTime.parse(time) ?? 0)

/** Returns the key of a departure in `sessions`. */
export const makeDepartureKey = (offeringId: string, startsAt: Instant.Instant): string => `${offeringId} ${startsAt}`

/** An effect and the date and time when it happens in the story. */
export interface StoryEvent {
  readonly on: LocalDate.LocalDate
  readonly at: string
  readonly tell: Effect.Effect<void, never, Bookings | Registry>
}

/** Returns the events of an order: the booking and, if there is one, its later change. */
export const listBookingEvents = (order: PlannedBooking, org: DemoOrg): ReadonlyArray<StoryEvent> => {
  const { at, departure, later, on } = order
  const placedBooking = placeBooking(order, org)
  const laterChange = Effect.flatMap(placedBooking, (id) => {
    const caller = { orgId: org.orgId, source: "dashboard" as const }
    if (later?.what === "cancelled") return callOperation(caller, bookingsCancel, { id })
    const nextWeekSession = org.sessions.get(makeDepartureKey(
      org.offerings[departure.trip],
      getDepartureStart(org.zone, { ...departure, date: LocalDate.addDays(departure.date, 7) })
    ))
    return nextWeekSession === undefined
      ? Effect.void
      : callOperation(caller, bookingsMove, { id, session_id: nextWeekSession })
  })
  return [
    { on, at, tell: ignoreRefusal(placedBooking) },
    ...(later === undefined || later.on === on ? [] : [{ on: later.on, at: "20:45", tell: ignoreRefusal(laterChange) }])
  ]
}

/** Creates the booking. The call is idempotent, because the order has an idempotency key. */
const placeBooking = (
  { departure, guest, key, notes, paid, periods, quantity, source }: PlannedBooking,
  org: DemoOrg
) =>
  Effect.gen(function*() {
    const { orgId } = org
    const offering_id = org.offerings[departure.trip]
    const startsAt = getDepartureStart(org.zone, departure)
    const session_id = org.sessions.get(makeDepartureKey(offering_id, startsAt))
    const { id, reference, status } = yield* callOperation({ orgId, source }, bookingsCreate, {
      offering_id,
      ...(session_id === undefined ? { starts_at: Instant.format(startsAt) } : { session_id }),
      quantity,
      ...(periods === undefined ? {} : { periods }),
      ...(notes === undefined ? {} : { notes }),
      ...(paid ? { hold_minutes: 30 } : {}),
      customer: guest,
      idempotency_key: key
    })
    if (paid && status === "held") yield* (yield* Bookings).pay({ orgId, id }, toDemoPaymentId(reference))
    return id
  })

const ignoreRefusal = <A, R>(work: Effect.Effect<A, Refusal, R>): Effect.Effect<void, never, R> =>
  Effect.catchAll(Effect.asVoid(work), () => Effect.void)
