/**
 * The amounts that a guest and the outfitter owe each other for a booking. While the booking is held or confirmed,
 * `total = paid + due − owed`. After it is canceled, `paid = kept + owed`. All amounts are in cents, in the booking's
 * currency.
 */
import { isWithheld, type Paid, type Payment, type Refund, refundedCents, withheldCents } from "../payment/Payment.ts"
import { computeDeposit } from "../pricing/quote.ts"
import type { Instant } from "../time/Instant.ts"
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
  /** The amount that the outfitter keeps for a canceled booking. Null if the booking is not canceled. */
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
 * Returns the amount that a cancellation refunds if the outfitter keeps at most `keepCents`, and the part of it that
 * was paid online.
 */
export const computeReturn = (booking: Booking, keepCents: number) => {
  const { onlineCents, paidCents } = paymentsOf(booking)
  const cents = paidCents - Math.min(keepCents, paidCents)
  return { cents, onlineCents: Math.min(onlineCents, cents) }
}

/**
 * The amount of the online payments that count for the booking, before refunds. A payment that was not applied to
 * the booking was refunded in full. Default: the total.
 */
export const onlinePaymentCents = (
  { onlineCents, paidAt, refund, totalCents }: Pick<Booking, "onlineCents" | "paidAt" | "refund" | "totalCents">
): number => onlineCents ?? (paidAt === null ? refund?.cents : undefined) ?? totalCents

/** The amount that a guest pays online to confirm a booking, by the terms and at the time when it was made. */
export const dueNowCents = ({ createdAt, price, quantity, startsAt, totalCents }: Booking): number =>
  computeDeposit(price?.terms.pricing?.deposit ?? null, (startsAt - createdAt) / 3_600_000, totalCents, quantity)

/** The same, or 0 before the first payment. */
export const receivedOnline = (booking: Booking): number => booking.paidAt === null ? 0 : onlinePaymentCents(booking)

/** A refund that is not done yet counts as done, because it is retried. */
const paymentsOf = (booking: Booking) => {
  const { deskCents, dispute, refund } = booking
  const unrefunded = receivedOnline(booking) - (refund?.cents ?? 0)
  const withheld = isWithheld(dispute) ? dispute?.cents ?? unrefunded : 0
  const onlineCents = booking.paidAt === null ? 0 : unrefunded - withheld
  return { onlineCents, paidCents: onlineCents + deskCents }
}

/**
 * Sets the booking fields that follow from its payments, after some of them have changed: the online amount, and the
 * state and amount of the refund and the dispute. Money that the booking never kept counts only if it is the payment
 * that the booking names.
 */
export const withPayments = <B extends Booking>(
  booking: B,
  before: ReadonlyArray<Payment>,
  changed: ReadonlyArray<Payment>
): B => {
  if (changed.every(({ status }) => status !== "paid")) return booking
  const unchanged = before.filter(({ id }) => changed.every((one) => one.id !== id))
  const paid = [...unchanged, ...changed].filter((payment) => payment.status === "paid")
  const isOwn = ({ intent }: Paid) => intent === booking.paymentIntentId
  /** Earlier versions refunded only second payments in full, without a reason. */
  const isSurplus = (payment: Paid) => ({ reason }: Refund) =>
    isOwn(payment) ? reason === "overpayment" && booking.paidAt !== null : reason === "overpayment" || reason === null
  const keptOf = (payment: Paid) =>
    payment.cents - refundedCents({ refunds: payment.refunds.filter(isSurplus(payment)) })
  const counted = paid.filter((payment) => isOwn(payment) || keptOf(payment) > 0)
  const onlineCents = sum(counted.map(keptOf))
  const refunds = counted.flatMap((payment) =>
    payment.refunds.filter((refund) => refund.status !== "failed" && !isSurplus(payment)(refund))
  )
  const disputed = counted.flatMap(({ dispute }) => dispute ?? [])
  return {
    ...booking,
    onlineCents: booking.paidAt === null
      ? booking.onlineCents
      : onlineCents === booking.totalCents
      ? null
      : onlineCents,
    refund: combine(refunds, refundOrder, sum(refunds.map(({ cents }) => cents))),
    dispute: combine(disputed, disputeOrder, sum(counted.map(withheldCents)))
  }
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, cents) => total + cents, 0)

const refundOrder = ["refused", "due", "done"] as const
const disputeOrder = ["open", "lost", "won"] as const

/** The status that comes first in the order, with the time of its last change; null if there is none. */
const combine = <Status extends string>(
  all: ReadonlyArray<{ readonly status: Status | "failed"; readonly at: Instant }>,
  order: ReadonlyArray<Status>,
  cents: number
) => {
  const status = order.find((one) => all.some((other) => other.status === one))
  const [at] = all.filter((one) => one.status === status).map((one) => one.at).sort((a, b) => b - a)
  return status === undefined || at === undefined ? null : { status, cents, at }
}
