import type { Org } from "../org/Org.ts"
import { type Asked, checkoutEnd, type Taker } from "../payment/Payment.ts"
import type { Instant } from "../time/Instant.ts"
import type { BookingRecord } from "./BookingView.ts"

/**
 * What is asked of the provider for a booking, from now on and unchanged. Of a hold
 * the checkout ends with it, as near as providers let it.
 *
 * @category constructors
 */
export const askedOf = (
  { booking, offering }: BookingRecord,
  { currency }: Pick<Org, "currency">,
  given: Taker & Pick<Asked, "id" | "attempt"> & { readonly now: Instant }
): Asked => {
  const { attempt, connection, id, now, provider } = given
  return {
    id,
    orgId: booking.orgId,
    bookingId: booking.id,
    attempt,
    provider,
    connection,
    cents: booking.totalCents,
    currency,
    description: offering.name,
    madeAt: now,
    expiresAt: checkoutEnd(booking.status === "held" ? booking.expiresAt : now, now)
  }
}
