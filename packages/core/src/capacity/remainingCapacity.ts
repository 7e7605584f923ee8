/**
 * Computes the remaining capacity: the capacity minus the claims, but at least 0. Lowering a capacity below the booked
 * amount cancels nothing.
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Session } from "../session/Session.ts"
import { type BookedSpan, claimEnd, claimFor } from "./claims.ts"
import * as Occupancy from "./Occupancy.ts"

/** The remaining capacity of a span of an appointment or a rental, given all live bookings that overlap it. */
export const remainingInSpan = (offering: Offering, span: Span, taken: ReadonlyArray<BookedSpan>): number =>
  remainingInOccupancy(offering, span, Occupancy.make(taken.map((one) => claimFor(offering, one))))

/** The same, with an occupancy that is computed once for many spans. */
export const remainingInOccupancy = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  occupancy: Occupancy.Occupancy
): number => Math.max(0, offering.capacity - Occupancy.peakWeight(occupancy, startsAt, claimEnd(offering, endsAt)))

/** The remaining seats of a session. Its capacity defaults to that of the class. */
export const remainingSeats = (offering: Offering, session: Session, booked: number): number =>
  Math.max(0, (session.capacity ?? offering.capacity) - booked)
