/**
 * Whether a place can be sold: the one function that booking, moving and
 * availability share, so what is listed can be booked and what
 * is not listed cannot.
 */
import * as Either from "effect/Either"
import type { BookedSpan } from "../capacity/claims.ts"
import { remainingInSpan, remainingSeats } from "../capacity/remaining.ts"
import type { Offering } from "../offering/Offering.ts"
import { bookable, type Length, slots, type Span } from "../offering/slots.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import type { Place } from "./Booking.ts"
import type { OverlapQuery } from "./BookingStore.ts"

/** What was true of a place, read after its rows were locked. */
export interface PlaceFacts {
  readonly now: Instant.Instant
  readonly zone: Zone
  readonly offering: Offering
}

/** Why somebody cannot have a place, in whichever operation. */
export const placeRefusals = [
  "not_found",
  "slot_unavailable",
  "slot_full",
  "offering_paused",
  "session_cancelled"
] as const

/** What leaves when no place can be sold. */
export type PlaceRefusal = Refusal<"invalid_request" | (typeof placeRefusals)[number]>

/** What is asked for: a session of a class, or a start of anything else. */
export type RequestedPlace = { readonly session: Session } | {
  readonly startsAt: Instant.Instant
  readonly length: Length
}

/** The place that a target means, if it is offered at this moment. */
export const resolvePlace = (facts: PlaceFacts, target: RequestedPlace): Either.Either<Place, PlaceRefusal> => {
  const { now, offering, zone } = facts
  if (offering.deletedAt !== null) return Either.left(refuse("slot_unavailable", "This offering was deleted."))
  if (!offering.active) return Either.left(refuse("offering_paused"))
  if ("session" in target) return resolveSession(facts, target.session)
  const { length, startsAt } = target
  const [span] = slots({ offering, zone, now, length, from: startsAt, to: Instant.make(startsAt + 1) })
  return span === undefined
    ? Either.left(refuse("slot_unavailable", whyNot(facts, startsAt)))
    : Either.right({ ...span, sessionId: null })
}

/**
 * Whether a session is offered: it is scheduled and its start lies within
 * notice and horizon, so it has not begun.
 */
export const resolveSession = (facts: PlaceFacts, session: Session): Either.Either<Place, PlaceRefusal> => {
  if (session.status === "cancelled") return Either.left(refuse("session_cancelled"))
  const { before, from } = bookable(facts.offering, facts.zone, facts.now)
  return session.startsAt < from || session.startsAt >= before
    ? Either.left(refuse("slot_unavailable", whyNot(facts, session.startsAt)))
    : Either.right({ startsAt: session.startsAt, endsAt: session.endsAt, sessionId: session.id })
}

const whyNot = ({ now, offering, zone }: PlaceFacts, startsAt: Instant.Instant): string | undefined => {
  const { before, from } = bookable(offering, zone, now)
  if (startsAt < now) return "That time has passed."
  if (startsAt < from) return `This needs ${offering.minNoticeMinutes} minutes of notice.`
  if (startsAt >= before) return `This can be booked at most ${offering.maxAdvanceDays} days ahead.`
  return undefined
}

/**
 * What the place is measured by: the seats booked in its session, or the live
 * bookings that overlap its span.
 */
export type PlaceUsage = { readonly session: Session; readonly booked: number } | {
  readonly taken: ReadonlyArray<BookedSpan>
}

/** What is left to book there. */
export const remainingCapacity = (offering: Offering, span: Span, use: PlaceUsage): number =>
  "session" in use ? remainingSeats(offering, use.session, use.booked) : remainingInSpan(offering, span, use.taken)

/**
 * What a booking of this quantity needs: seats, items, or one place for a party
 * of any size.
 */
export const weight = (offering: Pick<Offering, "kind">, quantity: number): number =>
  offering.kind === "appointment" ? 1 : quantity

export const checkCapacity = (
  offering: Offering,
  span: Span,
  quantity: number,
  use: PlaceUsage
): Either.Either<void, PlaceRefusal> => {
  const wanted = weight(offering, quantity)
  const left = remainingCapacity(offering, span, use)
  return wanted <= left ? Either.void : Either.left(refuse("slot_full", wanted, left))
}

/**
 * Which bookings that live at a moment can overlap a span with its buffer: those
 * that may count against it.
 */
export const overlap = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  now: Instant.Instant,
  except?: string
): OverlapQuery => ({
  orgId: offering.orgId,
  offeringId: offering.id,
  startsAfter: Instant.addMinutes(Instant.make(startsAt - offering.longestBookingMs), -offering.bufferMinutes),
  startsBefore: Instant.addMinutes(endsAt, offering.bufferMinutes),
  endsAfter: Instant.addMinutes(startsAt, -offering.bufferMinutes),
  now,
  ...(except === undefined ? {} : { except })
})

/**
 * The offering that knows of its longest booking, which `overlap` goes by. A
 * booking that moves may become the longest: calendar days over a clock change
 * last longer than others. A class is counted by session, and its row is not
 * even locked.
 */
export const withLongestBooking = (offering: Offering, { endsAt, startsAt }: Span): Offering =>
  offering.kind === "class" || endsAt - startsAt <= offering.longestBookingMs
    ? offering
    : { ...offering, longestBookingMs: endsAt - startsAt }
