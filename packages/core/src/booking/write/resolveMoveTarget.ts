import * as Either from "effect/Either"
import { computeSlotEnd } from "../../offering/listSlots.ts"
import { invalid, notFound } from "../../Refusal.ts"
import type { Booking, Place } from "../Booking.ts"
import type { PlaceRefusal, RequestedPlace } from "../checkPlace.ts"
import { type BatchState, toRowKey } from "./BatchState.ts"
import type { MoveTarget } from "./BookingRequest.ts"

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
