/**
 * Checks whether a place can be booked. Bookings, moves, and availability share these functions, so listed places can
 * be booked and unlisted ones cannot.
 */
import * as Either from "effect/Either"
import { type BookedSpan, computeRemainingCapacityInSpan, computeRemainingSeats } from "../capacity/claims.ts"
import { checkStartIsOpen, type Closure, makeFindClosure } from "../offering/closure/Closure.ts"
import { type BookingLength, getBookableWindow, listSlots, type Span } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import type { Place } from "./Booking.ts"
import type { OverlapQuery } from "./BookingStore.ts"

/** The state of a place, read after its rows were locked. */
export interface PlaceFacts {
  readonly now: Instant.Instant
  readonly zone: Zone
  readonly offering: Offering
  /** The closures. Closures for other offerings and orgs are ignored. */
  readonly closures: ReadonlyArray<Closure>
}

/** The reasons why a place cannot be booked, shared by all operations. */
export const placeRefusals = [
  "not_found",
  "slot_unavailable",
  "slot_full",
  "offering_paused",
  "session_cancelled"
] as const

/** The refusal for a place that cannot be booked. */
export type PlaceRefusal = Refusal<"invalid_request" | (typeof placeRefusals)[number]>

/** The requested place: a class session, or a start of an appointment or rental. */
export type RequestedPlace = { readonly session: Session } | {
  readonly startsAt: Instant.Instant
  readonly length: BookingLength
}

/**
 * Returns the starts for an appointment or rental that are open for new bookings. The remaining capacity is not
 * checked.
 */
export const listOpenSpans = (
  { closures, now, offering, zone }: PlaceFacts,
  range: { readonly from: Instant.Instant; readonly to: Instant.Instant; readonly length: BookingLength }
): ReadonlyArray<Span> => {
  const spans = listSlots({ offering, zone, now, ...range })
  if (closures.length === 0) return spans
  const closureAt = makeFindClosure(closures, zone, offering)
  return spans.filter(({ startsAt }) => closureAt(startsAt) === undefined)
}

/** Resolves the requested place. Fails if the place is not offered at this time. */
export const resolvePlace = (facts: PlaceFacts, requestedPlace: RequestedPlace): Either.Either<Place, PlaceRefusal> => {
  const { now, offering, zone } = facts
  if (offering.deletedAt !== null) return Either.left(refuse("slot_unavailable", "This offering was deleted."))
  if (!offering.active) return Either.left(refuse("offering_paused"))
  if ("session" in requestedPlace) return resolveSession(facts, requestedPlace.session)
  const { length, startsAt } = requestedPlace
  const [span] = listSlots({ offering, zone, now, length, from: startsAt, to: Instant.make(startsAt + 1) })
  return span === undefined
    ? Either.left(refuse("slot_unavailable", findUnavailableReason(facts, startsAt)))
    : Either.map(checkStartIsOpen(facts, startsAt), () => ({ ...span, sessionId: null }))
}

/**
 * Checks that a session is scheduled, is not closed, and starts after the notice period and before the horizon. A
 * caller with many sessions creates `findClosure` once.
 */
export const resolveSession = (
  facts: PlaceFacts,
  session: Session,
  findClosure?: ReturnType<typeof makeFindClosure>
): Either.Either<Place, PlaceRefusal> => {
  if (session.status === "cancelled") return Either.left(refuse("session_cancelled"))
  const { before, from } = getBookableWindow(facts.offering, facts.zone, facts.now)
  return session.startsAt < from || session.startsAt >= before
    ? Either.left(refuse("slot_unavailable", findUnavailableReason(facts, session.startsAt)))
    : Either.map(checkStartIsOpen(facts, session.startsAt, findClosure), () => ({
      startsAt: session.startsAt,
      endsAt: session.endsAt,
      sessionId: session.id
    }))
}

const findUnavailableReason = ({ now, offering, zone }: PlaceFacts, startsAt: Instant.Instant): string | undefined => {
  const { before, from } = getBookableWindow(offering, zone, now)
  if (startsAt < now) return "This time is in the past."
  if (startsAt < from) return `Bookings must be made at least ${offering.minNoticeMinutes} minutes in advance.`
  if (startsAt >= before) return `Bookings can be made at most ${offering.maxAdvanceDays} days in advance.`
  return undefined
}

/** A place's current usage: the number of booked seats in a session, or the live bookings that overlap a span. */
export type PlaceUsage = { readonly session: Session; readonly booked: number } | {
  readonly bookedSpans: ReadonlyArray<BookedSpan>
}

/** Returns a place's remaining capacity. */
export const computeRemainingCapacity = (offering: Offering, span: Span, usage: PlaceUsage): number =>
  "session" in usage
    ? computeRemainingSeats(offering, usage.session, usage.booked)
    : computeRemainingCapacityInSpan(offering, span, usage.bookedSpans)

/** Returns the capacity that a booking uses: the number of seats or items, or 1 for a party of any size. */
export const getBookingWeight = (offering: Pick<Offering, "kind">, quantity: number): number =>
  offering.kind === "appointment" ? 1 : quantity

export const checkCapacity = (
  offering: Offering,
  span: Span,
  quantity: number,
  usage: PlaceUsage
): Either.Either<void, Refusal<"slot_full">> => {
  const requestedUnits = getBookingWeight(offering, quantity)
  const remainingUnits = computeRemainingCapacity(offering, span, usage)
  return requestedUnits <= remainingUnits
    ? Either.void
    : Either.left(refuse("slot_full", requestedUnits, remainingUnits))
}

/** Returns the query for the bookings that can overlap a span and its buffer and are live at this time. */
export const toOverlapQuery = (
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
 * Records the longest booking for the offering, from which `toOverlapQuery` derives its lower bound. A move can set a
 * new maximum, because a calendar day can be longer when the clocks change. Classes are skipped, because their capacity
 * is counted by session and their row is not locked.
 */
export const updateLongestBooking = (offering: Offering, { endsAt, startsAt }: Span): Offering =>
  offering.kind === "class" || endsAt - startsAt <= offering.longestBookingMs
    ? offering
    : { ...offering, longestBookingMs: endsAt - startsAt }
