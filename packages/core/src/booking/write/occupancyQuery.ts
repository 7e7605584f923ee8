/**
 * The query that a request needs before it can be decided: the booked seats of a session, or the bookings that overlap
 * a time span.
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

/**
 * The query with its result: the booked seats of the session, the bookings that overlap the span, and the latest expiry
 * among the holds that were ignored because they had expired.
 */
export interface OccupancyResult {
  readonly question: OccupancyQuery
  readonly seats: number
  readonly taken: ReadonlyArray<BookedSpan>
  readonly lapsedAt: Instant | null
}

/** Returns `undefined` if the request needs no capacity, or will be refused without checking it. */
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

/** The query for a place as if the booking itself did not exist. */
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

/** The time at which an update is decided. It is never before the last decision at any of the places involved. */
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
 * The current usage of a place: the query result plus the changes made earlier in this batch. Returns `undefined` if
 * the result was read for another place or time; the request then fails with `StaleRead`.
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
