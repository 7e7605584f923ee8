/**
 * Computes the bookable starts and their remaining capacity. The functions are pure. Bookings and moves check a single
 * start with the same functions, so listed starts can be booked and unlisted ones cannot. Full slots are listed with 0
 * remaining. A paused offering has no slots.
 */
import * as Either from "effect/Either"
import type { OverlapQuery } from "../booking/BookingStore.ts"
import { listOpenSpans, type PlaceFacts, resolveSession, toOverlapQuery } from "../booking/checkPlace.ts"
import {
  type BookedSpan,
  computeRemainingCapacityInOccupancy,
  computeRemainingSeats,
  makeOccupancy,
  toClaim
} from "../capacity/claims.ts"
import { makeFindClosure } from "../offering/closure/Closure.ts"
import type { BookingLength, Span } from "../offering/listSlots.ts"
import type { BookedSession } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"

export interface Slot extends Span {
  readonly capacity: number
  readonly remaining: number
  /** The session. Set only for classes. */
  readonly sessionId?: string
}

/** Returns the starts for an appointment or rental in `[from, to)`. The remaining capacity is not checked. */
export const listPossibleSpans = (
  facts: PlaceFacts,
  range: { readonly from: Instant; readonly to: Instant; readonly length: BookingLength }
): ReadonlyArray<Span> => facts.offering.active ? listOpenSpans(facts, range) : []

/** Returns the query for the live bookings that overlap any of these spans. */
export const toSpansOverlapQuery = (
  { now, offering }: PlaceFacts,
  spans: ReadonlyArray<Span>,
  excludedBookingId?: string
): OverlapQuery | undefined => {
  const first = spans[0]
  if (first === undefined) return undefined
  const endsAt = spans.reduce((latest, span) => span.endsAt > latest ? span.endsAt : latest, first.endsAt)
  return toOverlapQuery(offering, { startsAt: first.startsAt, endsAt }, now, excludedBookingId)
}

export const toSlots = (
  { offering }: PlaceFacts,
  spans: ReadonlyArray<Span>,
  bookedSpans: ReadonlyArray<BookedSpan>
): ReadonlyArray<Slot> => {
  const occupancy = makeOccupancy(bookedSpans.map((one) => toClaim(offering, one)))
  return spans.map((span) => ({
    startsAt: span.startsAt,
    endsAt: span.endsAt,
    capacity: offering.capacity,
    remaining: computeRemainingCapacityInOccupancy(offering, span, occupancy)
  }))
}

/** Returns the slots for a class's bookable sessions, sorted by start. */
export const toSessionSlots = (facts: PlaceFacts, sessions: ReadonlyArray<BookedSession>): ReadonlyArray<Slot> => {
  if (!facts.offering.active) return []
  const findClosure = makeFindClosure(facts.closures, facts.zone, facts.offering)
  return sessions.flatMap(({ booked, session }) =>
    Either.match(resolveSession(facts, session, findClosure), {
      onLeft: () => [],
      onRight: ({ endsAt, startsAt }) => [{
        startsAt,
        endsAt,
        capacity: session.capacity ?? facts.offering.capacity,
        remaining: computeRemainingSeats(facts.offering, session, booked),
        sessionId: session.id
      }]
    })
  )
}
