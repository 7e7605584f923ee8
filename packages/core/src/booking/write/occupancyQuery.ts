/**
 * What storage has to say of a place before a request for it can be decided: who
 * keeps it at the request's moment, and which holds are passed over.
 */
import * as Either from "effect/Either"
import type { BookedSpan } from "../../capacity/claims.ts"
import { decisionTime, type HasPlaceClock } from "../../capacity/placeClock.ts"
import { slotEnd } from "../../offering/slots.ts"
import type { SeatsQuery } from "../../session/SessionStore.ts"
import type { Instant } from "../../time/Instant.ts"
import { type Booking, isLive, type Place } from "../Booking.ts"
import { isThere } from "../BookingDecider.ts"
import type { OverlapQuery } from "../BookingStore.ts"
import { overlap, type PlaceUsage } from "../checkPlace.ts"
import type { CreateBooking } from "../createBooking.ts"
import { resolveMoveTarget } from "../resolveMoveTarget.ts"
import { type BatchState, occupancyDelta, rowKey, seatDelta, withPendingChanges } from "./BatchState.ts"
import type { BookingRequest } from "./BookingRequest.ts"
import type { UpdateBooking } from "./UpdateBooking.ts"

export type OccupancyQuery = { readonly seats: SeatsQuery } | { readonly overlap: OverlapQuery }

/** What storage says: the seats that are kept in a session, or what touches a span. */
export interface OccupancyResult {
  readonly question: OccupancyQuery
  readonly seats: number
  readonly taken: ReadonlyArray<BookedSpan>
  readonly lapsedAt: Instant | null
}

/** Nothing when the request will be refused anyway, or takes no place. */
export const occupancyQueryFor = (state: BatchState, request: BookingRequest): OccupancyQuery | undefined =>
  "order" in request ? ofOrder(state, request.order) : ofChange(state, request.change)

const ofOrder = (state: BatchState, order: CreateBooking): OccupancyQuery | undefined => {
  const { offeringId, orgId, periods = 1, sessionId, startsAt } = order
  if (sessionId !== undefined) {
    const session = state.sessions.get(rowKey({ orgId, id: sessionId }))
    return session && { seats: { orgId, id: sessionId, now: decisionTime(state.now, session) } }
  }
  const offering = state.offerings.get(rowKey({ orgId, id: offeringId }))
  const zone = state.orgs.get(orgId)?.zone
  if (offering === undefined || zone === undefined || startsAt === undefined) return undefined
  const endsAt = slotEnd(offering.kind, zone, startsAt, { periodMinutes: offering.durationMinutes, periods })
  return { overlap: overlap(offering, { startsAt, endsAt }, decisionTime(state.now, offering)) }
}

const ofChange = (state: BatchState, change: UpdateBooking): OccupancyQuery | undefined => {
  const record = state.bookings.get(rowKey(change.key))
  if (record === undefined || change._tag === "Cancel") return undefined
  const { booking } = withPendingChanges(state, record)
  const now = decisionTimeFor(state, booking, change)
  if (change._tag !== "Move") {
    return booking.status !== "held" || isLive(booking, now) ? undefined : placeWithout(state, booking, booking, now)
  }
  const to = resolveMoveTarget(state, booking, change.to)
  return booking.status === "cancelled" || Either.isLeft(to) || isThere(booking, to.right.place)
    ? undefined
    : placeWithout(state, booking, to.right.place, now)
}

/** A place as if a booking itself were not there. */
const placeWithout = (
  state: BatchState,
  { id: except, offeringId, orgId }: Booking,
  place: Place,
  now: Instant
): OccupancyQuery | undefined => {
  if (place.sessionId !== null) return { seats: { orgId, id: place.sessionId, now, except } }
  const offering = state.offerings.get(rowKey({ orgId, id: offeringId }))
  return offering && { overlap: overlap(offering, place, now, except) }
}

/**
 * The moment at which a change is decided: not before any of the places that it
 * is about was judged.
 */
export const decisionTimeFor = (
  { now, offerings, sessions }: BatchState,
  booking: Booking,
  change: UpdateBooking
): Instant => {
  const { offeringId, orgId, sessionId } = booking
  const to = change._tag === "Move" ? change.to.sessionId : undefined
  const places: ReadonlyArray<HasPlaceClock | undefined> = sessionId === null
    ? [offerings.get(rowKey({ orgId, id: offeringId }))]
    : [sessionId, to ?? sessionId].map((id) => sessions.get(rowKey({ orgId, id })))
  return decisionTime(now, ...places.filter((place) => place !== undefined))
}

/**
 * What a place is measured by now: what storage said of it before the batch, and
 * what the batch has changed since. Nothing when that was asked for another moment
 * or for another place.
 */
export const usageFor = (
  state: BatchState,
  question: OccupancyQuery,
  answered: OccupancyResult | undefined
): PlaceUsage | undefined => {
  if (answered === undefined) return undefined
  const { question: asked, seats, taken } = answered
  if ("seats" in question) {
    const { except, id, now } = question.seats
    const session = state.sessions.get(rowKey(question.seats))
    return session === undefined || !("seats" in asked) || asked.seats.id !== id || asked.seats.now !== now
      ? undefined
      : { session, booked: seats + seatDelta(state, question.seats, now, except) }
  }
  const { endsAfter, now, startsBefore } = question.overlap
  return !("overlap" in asked) || asked.overlap.now !== now || asked.overlap.startsBefore !== startsBefore ||
      asked.overlap.endsAfter !== endsAfter
    ? undefined
    : { taken: [...taken, ...occupancyDelta(state, question.overlap)] }
}
