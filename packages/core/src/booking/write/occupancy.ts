/**
 * The occupancy of the place that a request needs: a session's booked seats, or the bookings that overlap a time span.
 *
 * A request's query is computed once, after its place is locked. The decision only checks that the result is for the
 * correct place and time. The place and time can differ if an earlier request in the batch moves the booking or
 * advances the place's clock.
 */
import * as Either from "effect/Either"
import { type BookedSpan, getDecisionTime, type PlaceClock } from "../../capacity/claims.ts"
import { computeSlotEnd } from "../../offering/listSlots.ts"
import { invalid, notFound } from "../../Refusal.ts"
import type { BookedSeatsQuery } from "../../session/Session.ts"
import type { Instant } from "../../time/Instant.ts"
import { type Booking, isLive, type Place } from "../Booking.ts"
import { isAtMoveTarget } from "../BookingDecider.ts"
import type { OverlapQuery } from "../BookingStore.ts"
import { type PlaceRefusal, type PlaceUsage, type RequestedPlace, toOverlapQuery } from "../checkPlace.ts"
import type { CreateBookingRequest } from "../createBooking.ts"
import {
  applyPendingChanges,
  type BatchState,
  computeOccupancyDelta,
  computeSeatDelta,
  toRowKey
} from "./BatchState.ts"
import type { BookingRequest, MoveTarget, UpdateBookingRequest } from "./BookingRequest.ts"

/**
 * A query for a place's occupancy. For a session, the ID is enough, because all bookings in a session have the same
 * span.
 */
export type OccupancyQuery =
  | { readonly place: Pick<Place, "sessionId">; readonly seats: BookedSeatsQuery }
  | { readonly place: Place; readonly overlap: OverlapQuery }

/**
 * A query with its result: the session's booked seats, the bookings that overlap the span, and the latest expiry among
 * the holds that were ignored because they had expired.
 */
export interface PlaceOccupancy {
  readonly query: OccupancyQuery
  readonly seats: number
  readonly bookedSpans: ReadonlyArray<BookedSpan>
  readonly lapsedAt: Instant | null
}

/**
 * Returns the occupancy query for a request. Returns `undefined` if the request needs no capacity, or if it will be
 * refused without a capacity check.
 */
export const toOccupancyQuery = (state: BatchState, request: BookingRequest): OccupancyQuery | undefined =>
  "create" in request ? queryForCreate(state, request.create) : queryForUpdate(state, request.update)

const queryForCreate = (
  state: BatchState,
  { offeringId, orgId, periods = 1, sessionId, startsAt }: CreateBookingRequest
): OccupancyQuery | undefined => {
  if (sessionId !== undefined) {
    const session = state.sessions.get(toRowKey({ orgId, id: sessionId }))
    return session &&
      { place: { sessionId }, seats: { orgId, id: sessionId, now: getDecisionTime(state.now, session) } }
  }
  const offering = state.offerings.get(toRowKey({ orgId, id: offeringId }))
  const zone = state.orgs.get(orgId)?.zone
  if (offering === undefined || zone === undefined || startsAt === undefined) return undefined
  const endsAt = computeSlotEnd(offering.kind, zone, startsAt, { periodMinutes: offering.durationMinutes, periods })
  const place = { startsAt, endsAt, sessionId: null }
  return { place, overlap: toOverlapQuery(offering, place, getDecisionTime(state.now, offering)) }
}

const queryForUpdate = (state: BatchState, update: UpdateBookingRequest): OccupancyQuery | undefined => {
  const record = state.bookings.get(toRowKey(update.key))
  if (record === undefined || update._tag === "Cancel") return undefined
  const { booking } = applyPendingChanges(state, record)
  const now = getUpdateDecisionTime(state, booking, update)
  if (update._tag === "Change") {
    const { party, quantity } = update.change
    const canGrow = booking.status !== "cancelled" && (party !== undefined || quantity !== undefined)
    return canGrow ? makeQueryWithout(state, booking, booking, now) : undefined
  }
  if (update._tag === "Restore") {
    return booking.status === "cancelled" ? makeQueryWithout(state, booking, booking, now) : undefined
  }
  if (update._tag !== "Move") {
    return booking.status !== "held" || isLive(booking, now)
      ? undefined
      : makeQueryWithout(state, booking, booking, now)
  }
  const moveTarget = resolveMoveTarget(state, booking, update.to)
  return booking.status === "cancelled" || Either.isLeft(moveTarget) || isAtMoveTarget(booking, moveTarget.right.place)
    ? undefined
    : makeQueryWithout(state, booking, moveTarget.right.place, now)
}

/** Returns the query for a place, as if the booking itself did not exist. */
const makeQueryWithout = (
  state: BatchState,
  { id: except, offeringId, orgId }: Booking,
  place: Place,
  now: Instant
): OccupancyQuery | undefined => {
  if (place.sessionId !== null) return { place, seats: { orgId, id: place.sessionId, now, except } }
  const offering = state.offerings.get(toRowKey({ orgId, id: offeringId }))
  return offering && { place, overlap: toOverlapQuery(offering, place, now, except) }
}

/**
 * Returns the time at which an update is decided. It is never earlier than the last decision at any of the places
 * involved.
 */
export const getUpdateDecisionTime = (
  { now, offerings, sessions }: BatchState,
  { offeringId, orgId, sessionId }: Booking,
  update: UpdateBookingRequest
): Instant => {
  const targetSessionId = update._tag === "Move" ? update.to.sessionId : undefined
  const places: ReadonlyArray<PlaceClock | undefined> = sessionId === null
    ? [offerings.get(toRowKey({ orgId, id: offeringId }))]
    : [sessionId, targetSessionId ?? sessionId].map((id) => sessions.get(toRowKey({ orgId, id })))
  return getDecisionTime(now, ...places.filter((place) => place !== undefined))
}

/**
 * Returns a place's usage, which is the query result plus the changes made earlier in this batch. Returns `undefined`
 * if the result was read for a different place or time. The request then fails with `StaleRead`.
 */
export const computePlaceUsage = (
  state: BatchState,
  { bookedSpans, query, seats }: PlaceOccupancy,
  place: OccupancyQuery["place"] & Partial<Place>,
  now: Instant
): PlaceUsage | undefined => {
  if (query.place.sessionId !== place.sessionId) return undefined
  if ("seats" in query) {
    const session = state.sessions.get(toRowKey(query.seats))
    return session === undefined || query.seats.now !== now
      ? undefined
      : { session, booked: seats + computeSeatDelta(state, query.seats, now, query.seats.except) }
  }
  const { endsAt, startsAt } = query.place
  return startsAt !== place.startsAt || endsAt !== place.endsAt || query.overlap.now !== now
    ? undefined
    : { bookedSpans: [...bookedSpans, ...computeOccupancyDelta(state, query.overlap)] }
}

/**
 * Resolves a move's target without checking whether it is offered, because it can be the current place. The booking
 * keeps its length.
 */
export const resolveMoveTarget = (
  state: BatchState,
  booking: Booking,
  { sessionId, startsAt }: MoveTarget
): Either.Either<{ readonly target: RequestedPlace; readonly place: Place }, PlaceRefusal> => {
  const { offeringId, orgId, periodMinutes, periods } = booking
  const { offering, zone } = requireOffering(state, booking)
  if (offering.kind === "class") {
    if (startsAt !== undefined || sessionId === undefined) {
      return Either.left(invalid("session_id: to move a class booking, set only session_id"))
    }
    const session = state.sessions.get(toRowKey({ orgId, id: sessionId }))
    return session === undefined || session.offeringId !== offeringId
      ? Either.left(notFound("session", sessionId))
      : Either.right({
        target: { session },
        place: { startsAt: session.startsAt, endsAt: session.endsAt, sessionId }
      })
  }
  if (sessionId !== undefined || startsAt === undefined) {
    return Either.left(invalid("starts_at: to move an appointment or rental booking, set only starts_at"))
  }
  const length = { periodMinutes, periods }
  return Either.right({
    target: { startsAt, length },
    place: { startsAt, endsAt: computeSlotEnd(offering.kind, zone, startsAt, length), sessionId: null }
  })
}

/**
 * Returns the offering, the org, and the closures for a booking. These rows are loaded for every update that needs a
 * place.
 */
export const requireOffering = ({ closures, offerings, orgs }: BatchState, { offeringId: id, orgId }: Booking) => {
  const offering = offerings.get(toRowKey({ orgId, id }))
  const facts = orgs.get(orgId)
  if (offering === undefined || facts === undefined) throw new Error("Invariant violated: offering or org not loaded")
  return { offering, closures, ...facts }
}
