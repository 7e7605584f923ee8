/**
 * Computes the remaining capacity: the capacity minus the claims, but at least 0. If the outfitter lowers the capacity
 * below the booked amount, no booking is canceled.
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Session } from "../session/Session.ts"
import { type BookedSpan, claimEnd, claimFor } from "./claims.ts"
import * as Occupancy from "./Occupancy.ts"

/**
 * Returns the remaining capacity for an appointment's or rental's span. `bookedSpans` contains all live bookings that
 * overlap the span.
 */
export const remainingInSpan = (offering: Offering, span: Span, bookedSpans: ReadonlyArray<BookedSpan>): number =>
  remainingInOccupancy(offering, span, Occupancy.make(bookedSpans.map((one) => claimFor(offering, one))))

/** Like {@link remainingInSpan}, but with an occupancy computed once for many spans. */
export const remainingInOccupancy = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  occupancy: Occupancy.Occupancy
): number => Math.max(0, offering.capacity - Occupancy.peakWeight(occupancy, startsAt, claimEnd(offering, endsAt)))

/** Returns a session's remaining seats. A session without its own capacity has the capacity of its class. */
export const remainingSeats = (offering: Offering, session: Session, bookedSeats: number): number =>
  Math.max(0, (session.capacity ?? offering.capacity) - bookedSeats)
