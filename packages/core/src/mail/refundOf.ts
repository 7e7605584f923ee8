import type { Cancelled } from "../booking/Booking.ts"

/**
 * Tells a guest whose booking was cancelled about their money.
 *
 * @category converting
 */
export const refundOf = (
  { cancelledAt, paidAt, paymentIntentId, startsAt, totalCents }: Cancelled,
  { outfitter, total }: { readonly outfitter: string; readonly total: string }
): ReadonlyArray<string> => {
  if (totalCents === 0) return []
  if (paymentIntentId === null) return ["You have not been charged online."]
  if (paidAt === null) return [`Your payment of ${total} came too late to keep your place. ${refunded}`]
  if (startsAt > cancelledAt) return [`You paid ${total}. ${refunded}`]
  // Who cancelled is not on the booking: what the outfitter calls off is refunded even after its start.
  return [`You paid ${total}. As your booking had begun, this is refunded only if ${outfitter} called it off.`]
}

const refunded = "It is refunded in full, to the card or account you paid with. That can take a few days."
