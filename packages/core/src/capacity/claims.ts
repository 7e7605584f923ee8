/**
 * Determines how much capacity a booking claims, and for how long. A class booking claims its seats in the session. An
 * appointment claims 1, regardless of the party size. A rental claims its items. Appointments and rentals also claim
 * the buffer after their end.
 */
import type { Span } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Session } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"
import * as Occupancy from "./Occupancy.ts"

/** The sum of live bookings with the same span. */
export interface BookedSpan extends Span {
  readonly bookings: number
  readonly quantity: number
}

/** Returns the claim for bookings with the same span. Not used for classes, because they are counted by session. */
export const toClaim = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: BookedSpan
): Occupancy.CapacityClaim => ({
  from: startsAt,
  until: getClaimEnd(offering, endsAt),
  weight: offering.kind === "appointment" ? bookings : quantity
})

/** Returns the end of the buffer after a booking. */
export const getClaimEnd = ({ bufferMinutes }: Pick<Offering, "bufferMinutes">, endsAt: Instant): number =>
  endsAt + bufferMinutes * 60_000

/**
 * Returns the remaining capacity for an appointment's or rental's span: the capacity minus the claims, but at least 0.
 * The capacity can be lower than the booked amount, because lowering it does not cancel bookings. `bookedSpans`
 * contains all live bookings that overlap the span.
 */
export const computeRemainingInSpan = (
  offering: Offering,
  span: Span,
  bookedSpans: ReadonlyArray<BookedSpan>
): number =>
  computeRemainingInOccupancy(offering, span, Occupancy.make(bookedSpans.map((one) => toClaim(offering, one))))

/** Like {@link computeRemainingInSpan}, but with an occupancy computed once for many spans. */
export const computeRemainingInOccupancy = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  occupancy: Occupancy.Occupancy
): number =>
  Math.max(0, offering.capacity - Occupancy.computePeakWeight(occupancy, startsAt, getClaimEnd(offering, endsAt)))

/** Returns a session's remaining seats. A session without its own capacity uses the capacity of its class. */
export const computeRemainingSeats = (offering: Offering, session: Session, bookedSeats: number): number =>
  Math.max(0, (session.capacity ?? offering.capacity) - bookedSeats)
