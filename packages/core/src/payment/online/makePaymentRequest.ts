import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Org } from "../../org/Org.ts"
import type { Instant } from "../../time/Instant.ts"
import { checkoutEnd, type PaymentAccount, type PaymentRequest } from "../Payment.ts"

/**
 * What is asked of the provider for a booking, from now on and unchanged. Of a hold
 * the checkout ends with it, as near as providers let it.
 */
export const makePaymentRequest = (
  { booking, offering }: BookingRecord,
  { currency }: Pick<Org, "currency">,
  given: PaymentAccount & Pick<PaymentRequest, "id" | "attempt"> & { readonly now: Instant }
): PaymentRequest => {
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
