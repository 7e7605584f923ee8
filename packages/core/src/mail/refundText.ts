import type { Cancelled } from "../booking/Booking.ts"
import { isWithheld, type Payment } from "../payment/Payment.ts"

/** The text about the money for a guest whose booking was canceled. */
export const refundText = (
  { dispute, paidAt, paymentIntentId, refund, totalCents }: Cancelled,
  { payments, total }: { readonly total: string; readonly payments: ReadonlyArray<Pick<Payment, "mismatch">> }
): ReadonlyArray<string> => {
  if (totalCents === 0) return []
  if (paymentIntentId === null) {
    return [
      payments.some(({ mismatch }) => mismatch !== null)
        ? "We received a payment that does not match your booking and are checking it."
        : "You have not been charged online."
    ]
  }
  if (refund !== null) {
    const paid = paidAt === null
      ? `We received your payment of ${total} after your hold expired.`
      : `You paid ${total}.`
    return [`${paid} ${refunds[refund.status]}`]
  }
  if (isWithheld(dispute)) {
    return [`You paid ${total}. This payment is disputed, so your bank decides whether it is refunded.`]
  }
  return [`You paid ${total}. This is not refunded because your booking had already started.`]
}

/** An email can be sent before or after the refund. It describes the current state. */
const refunds = {
  due: "Your refund is being processed. It goes to the card or account you paid with and can take a few days.",
  done: "It was refunded in full to the card or account you paid with. It can take a few days to appear there.",
  refused: "Your refund is delayed. We retry it automatically and have notified the outfitter."
}
