/**
 * Whether there is room. Capacity less what is kept, never below nothing:
 * lowering a capacity below what is booked cancels nothing.
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Session } from "../session/Session.ts"
import { type BookedSpan, claimEnd, claimFor } from "./claims.ts"
import * as Occupancy from "./Occupancy.ts"

/**
 * What is left to book of an appointment's or rental's span, given every live
 * booking that touches it.
 */
export const remainingInSpan = (offering: Offering, span: Span, taken: ReadonlyArray<BookedSpan>): number =>
  remainingInOccupancy(offering, span, Occupancy.make(taken.map((one) => claimFor(offering, one))))

/** The same over an occupancy made once for many spans. */
export const remainingInOccupancy = (
  offering: Offering,
  { endsAt, startsAt }: Span,
  occupancy: Occupancy.Occupancy
): number => Math.max(0, offering.capacity - Occupancy.peakWeight(occupancy, startsAt, claimEnd(offering, endsAt)))

/** The seats left in a session: its own capacity, or else the class's. */
export const remainingSeats = (offering: Offering, session: Session, booked: number): number =>
  Math.max(0, (session.capacity ?? offering.capacity) - booked)
