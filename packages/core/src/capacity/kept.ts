/**
 * How long and how much a booking keeps (decisions 2.1, 2.2): a class its seats
 * in the session, an appointment one place however large the party, a rental
 * its items; appointments and rentals the buffer after their end as well.
 *
 * @since 0.1.0
 */
import type { Offering } from "../offering/Offering.ts"
import type { Span } from "../offering/slots.ts"
import type { Claim } from "./Occupancy.ts"

/**
 * Live bookings over one and the same span, added up.
 *
 * @since 0.1.0
 * @category models
 */
export interface Taken extends Span {
  readonly bookings: number
  readonly quantity: number
}

/**
 * The claim of bookings over one span. Classes are counted by session and have
 * none.
 *
 * @since 0.1.0
 * @category calculating
 */
export const kept = (
  offering: Pick<Offering, "kind" | "bufferMinutes">,
  { bookings, endsAt, quantity, startsAt }: Taken
): Claim => ({
  from: startsAt,
  until: endsAt + offering.bufferMinutes * 60_000,
  weight: offering.kind === "appointment" ? bookings : quantity
})
