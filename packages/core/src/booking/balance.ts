/**
 * The amounts that a guest and the outfitter owe each other for a booking: `total = paid + due − owed` while it is held
 * or confirmed, and `paid = kept + owed` once it is canceled. All amounts are in cents of the booking's currency.
 */
import { isWithheld } from "../payment/Payment.ts"
import type { Booking } from "./Booking.ts"

export interface Balance {
  /** Payments minus refunds that are done or pending. Negative only if the provider returned more than was paid. */
  readonly paidCents: number
  /** The amount that the guest still owes; 0 once canceled. */
  readonly dueCents: number
  /** The amount that the outfitter still owes the guest. */
  readonly owedCents: number
  /** The amount that the outfitter keeps of a canceled booking; null otherwise. */
  readonly keptCents: number | null
}

/** The amount to keep if nothing is returned. It is above every possible payment. */
export const maxKeepCents = 999_999_999_999

export const computeBalance = (booking: Booking): Balance => {
  const { deskCents, keepCents, totalCents } = booking
  const paidCents = onlineCents(booking) + deskCents
  if (keepCents === null) {
    return {
      paidCents,
      dueCents: Math.max(0, totalCents - paidCents),
      owedCents: Math.max(0, paidCents - totalCents),
      keptCents: null
    }
  }
  const keptCents = Math.min(keepCents, paidCents)
  return { paidCents, dueCents: 0, owedCents: paidCents - keptCents, keptCents }
}

/** An online payment is for the total. A refund that is not done yet counts as done, because it is retried. */
const onlineCents = ({ dispute, paidAt, refund, totalCents }: Booking): number =>
  paidAt === null || refund !== null || isWithheld(dispute) ? 0 : totalCents
