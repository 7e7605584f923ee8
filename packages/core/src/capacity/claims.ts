/**
 * Determines how much capacity a booking claims, and for how long. A class booking claims its seats in the session. An
 * appointment claims 1, regardless of the party size. A rental claims its items. Appointments and rentals also claim
 * the buffer after their end.
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Instant } from "../time/Instant.ts"
import type { Claim } from "./Occupancy.ts"

/** The sum of live bookings with the same span. */
export interface BookedSpan extends Span {
  readonly bookings: number
  readonly quantity: number
}

/** Returns the claim for bookings with the same span. Not used for classes, which are counted by session. */
export const claimFor = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: BookedSpan
): Claim => ({
  from: startsAt,
  until: claimEnd(offering, endsAt),
  weight: offering.kind === "appointment" ? bookings : quantity
})

/** Returns the end of the buffer after a booking. */
export const claimEnd = ({ bufferMinutes }: Pick<Offering, "bufferMinutes">, endsAt: Instant): number =>
  endsAt + bufferMinutes * 60_000
