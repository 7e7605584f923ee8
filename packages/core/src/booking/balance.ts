/**
 * The amounts that a guest and the outfitter owe each other for a booking. While the booking is held or confirmed,
 * `total = paid + due − owed`. After it is canceled, `paid = kept + owed`. All amounts are in cents of the booking's
 * currency.
 */
import { isWithheld } from "../payment/Payment.ts"
import type { Booking } from "./Booking.ts"

export interface Balance {
  /**
   * The payments minus the refunds that are done or pending. The amount is negative only if the provider returned more
   * than was paid.
   */
  readonly paidCents: number
  /** The amount that the guest still owes. 0 if the booking is canceled. */
  readonly dueCents: number
  /** The amount that the outfitter still owes the guest. */
  readonly owedCents: number
  /** The amount that the outfitter keeps of a canceled booking. Null if the booking is not canceled. */
  readonly keptCents: number | null
}

export const computeBalance = (booking: Booking): Balance => {
  const { keepCents, totalCents } = booking
  const { paidCents } = paymentsOf(booking)
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

/**
 * Returns the amount that a cancellation returns if the outfitter keeps at most `keepCents`, and the part of it that
 * was paid online.
 */
export const computeReturn = (booking: Booking, keepCents: number) => {
  const { onlineCents, paidCents } = paymentsOf(booking)
  const cents = paidCents - Math.min(keepCents, paidCents)
  return { cents, onlineCents: Math.min(onlineCents, cents) }
}

/** The amount of an online payment: the total at that time. */
export const onlinePaymentCents = ({ onlineCents, totalCents }: Pick<Booking, "onlineCents" | "totalCents">): number =>
  onlineCents ?? totalCents

/** A refund that is not done yet counts as done, because it is retried. */
const paymentsOf = (booking: Booking) => {
  const { deskCents, dispute, paidAt, refund } = booking
  const onlineCents = paidAt === null || isWithheld(dispute) ? 0 : onlinePaymentCents(booking) - (refund?.cents ?? 0)
  return { onlineCents, paidCents: onlineCents + deskCents }
}
