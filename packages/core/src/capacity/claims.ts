/**
 * How long and how much a booking keeps: a class its seats
 * in the session, an appointment one place however large the party, a rental
 * its items; appointments and rentals the buffer after their end as well.
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Instant } from "../time/Instant.ts"
import type { Claim } from "./Occupancy.ts"

/** Live bookings over one and the same span, added up. */
export interface BookedSpan extends Span {
  readonly bookings: number
  readonly quantity: number
}

/**
 * The claim of bookings over one span. Classes are counted by session and have
 * none.
 */
export const claimFor = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: BookedSpan
): Claim => ({
  from: startsAt,
  until: claimEnd(offering, endsAt),
  weight: offering.kind === "appointment" ? bookings : quantity
})

/** When a place is free again after a booking that ends then. */
export const claimEnd = ({ bufferMinutes }: Pick<Offering, "bufferMinutes">, endsAt: Instant): number =>
  endsAt + bufferMinutes * 60_000
