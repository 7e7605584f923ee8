/**
 * What storage has to say of a place before a request for it can be decided: who
 * keeps it at the request's moment, and which holds are passed over.
 */
import * as Either from "effect/Either"
import { type Judged, notBefore } from "../capacity/judged.ts"
import type { Taken } from "../capacity/kept.ts"
import { endOf } from "../offering/slots.ts"
import type { SeatsQuery } from "../session/SessionStore.ts"
import type { Instant } from "../time/Instant.ts"
import { type BatchState, current, moreSeats, moreTaken, nameOf } from "./BatchState.ts"
import { type Booking, isLive, type Place } from "./Booking.ts"
import { isThere } from "./BookingDecider.ts"
import type { OverlapQuery } from "./BookingStore.ts"
import type { Change } from "./Change.ts"
import type { Order } from "./create.ts"
import { destinationOf } from "./destinationOf.ts"
import type { Request } from "./Request.ts"
import { overlap, type Use } from "./target.ts"

/**
 * @category models
 */
export type Question = { readonly seats: SeatsQuery } | { readonly overlap: OverlapQuery }

/**
 * What storage says: the seats that are kept in a session, or what touches a span.
 *
 * @category models
 */
export interface Answered {
  readonly question: Question
  readonly seats: number
  readonly taken: ReadonlyArray<Taken>
  readonly lapsedAt: Instant | null
}

/**
 * Nothing when the request will be refused anyway, or takes no place.
 *
 * @category calculating
 */
export const questionOf = (state: BatchState, request: Request): Question | undefined =>
  "order" in request ? ofOrder(state, request.order) : ofChange(state, request.change)

const ofOrder = (state: BatchState, order: Order): Question | undefined => {
  const { offeringId, orgId, periods = 1, sessionId, startsAt } = order
  if (sessionId !== undefined) {
    const session = state.sessions.get(nameOf({ orgId, id: sessionId }))
    return session && { seats: { orgId, id: sessionId, now: notBefore(state.now, session) } }
  }
  const offering = state.offerings.get(nameOf({ orgId, id: offeringId }))
  const zone = state.orgs.get(orgId)?.zone
  if (offering === undefined || zone === undefined || startsAt === undefined) return undefined
  const endsAt = endOf(offering.kind, zone, startsAt, { periodMinutes: offering.durationMinutes, periods })
  return { overlap: overlap(offering, { startsAt, endsAt }, notBefore(state.now, offering)) }
}

const ofChange = (state: BatchState, change: Change): Question | undefined => {
  const record = state.bookings.get(nameOf(change.key))
  if (record === undefined || change._tag === "Cancel") return undefined
  const { booking } = current(state, record)
  const now = momentOf(state, booking, change)
  if (change._tag !== "Move") {
    return booking.status !== "held" || isLive(booking, now) ? undefined : placeWithout(state, booking, booking, now)
  }
  const to = destinationOf(state, booking, change.to)
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
): Question | undefined => {
  if (place.sessionId !== null) return { seats: { orgId, id: place.sessionId, now, except } }
  const offering = state.offerings.get(nameOf({ orgId, id: offeringId }))
  return offering && { overlap: overlap(offering, place, now, except) }
}

/**
 * The moment at which a change is decided: not before any of the places that it
 * is about was judged.
 *
 * @category calculating
 */
export const momentOf = ({ now, offerings, sessions }: BatchState, booking: Booking, change: Change): Instant => {
  const { offeringId, orgId, sessionId } = booking
  const to = change._tag === "Move" ? change.to.sessionId : undefined
  const places: ReadonlyArray<Judged | undefined> = sessionId === null
    ? [offerings.get(nameOf({ orgId, id: offeringId }))]
    : [sessionId, to ?? sessionId].map((id) => sessions.get(nameOf({ orgId, id })))
  return notBefore(now, ...places.filter((place) => place !== undefined))
}

/**
 * What a place is measured by now: what storage said of it before the batch, and
 * what the batch has changed since. Nothing when that was asked for another moment
 * or for another place.
 *
 * @category calculating
 */
export const useOf = (state: BatchState, question: Question, answered: Answered | undefined): Use | undefined => {
  if (answered === undefined) return undefined
  const { question: asked, seats, taken } = answered
  if ("seats" in question) {
    const { except, id, now } = question.seats
    const session = state.sessions.get(nameOf(question.seats))
    return session === undefined || !("seats" in asked) || asked.seats.id !== id || asked.seats.now !== now
      ? undefined
      : { session, booked: seats + moreSeats(state, question.seats, now, except) }
  }
  const { endsAfter, now, startsBefore } = question.overlap
  return !("overlap" in asked) || asked.overlap.now !== now || asked.overlap.startsBefore !== startsBefore ||
      asked.overlap.endsAfter !== endsAfter
    ? undefined
    : { taken: [...taken, ...moreTaken(state, question.overlap)] }
}
