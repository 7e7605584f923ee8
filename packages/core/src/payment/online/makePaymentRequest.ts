import { dueNowCents } from "../../booking/balance.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Instant } from "../../time/Instant.ts"
import { checkoutEnd, type PaymentAccount, type PaymentRequest } from "../Payment.ts"

/**
 * Builds the payment request for a booking's deposit or total. The request never changes afterward. The checkout
 * expires when the hold does, subject to the providers' limits.
 */
export const makePaymentRequest = (
  { booking, offering }: BookingRecord,
  options: PaymentAccount & Pick<PaymentRequest, "id" | "attempt"> & { readonly now: Instant }
): PaymentRequest => {
  const { attempt, connection, id, now, provider } = options
  return {
    id,
    orgId: booking.orgId,
    bookingId: booking.id,
    attempt,
    provider,
    connection,
    cents: dueNowCents(booking),
    currency: booking.currency,
    description: offering.name,
    madeAt: now,
    expiresAt: checkoutEnd(booking.status === "held" ? booking.expiresAt : now, now)
  }
}
