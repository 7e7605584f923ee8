import type { Cancelled } from "../booking/Booking.ts"

/**
 * Tells a guest whose booking was cancelled about their money.
 *
 * @category converting
 */
export const refundOf = (
  { paidAt, paymentIntentId, refund, totalCents }: Cancelled,
  { total }: { readonly total: string }
): ReadonlyArray<string> => {
  if (totalCents === 0) return []
  if (paymentIntentId === null) return ["You have not been charged online."]
  if (paidAt === null) return [`Your payment of ${total} came too late to keep your place. ${refunded}`]
  if (refund !== null) return [`You paid ${total}. ${refunded}`]
  return [`You paid ${total}. As your booking had begun, this is not refunded.`]
}

const refunded = "It is refunded in full, to the card or account you paid with. That can take a few days."
