/**
 * The capacity that a booking claims and for how long. A class booking claims its seats in the session, an appointment
 * 1 regardless of the party size, and a rental its items. Appointments and rentals also claim the buffer after their
 * end.
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

/** The claim of bookings with the same span. Classes count by session and have no claims. */
export const claimFor = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: BookedSpan
): Claim => ({
  from: startsAt,
  until: claimEnd(offering, endsAt),
  weight: offering.kind === "appointment" ? bookings : quantity
})

/** The end of the buffer after a booking. */
export const claimEnd = ({ bufferMinutes }: Pick<Offering, "bufferMinutes">, endsAt: Instant): number =>
  endsAt + bufferMinutes * 60_000
