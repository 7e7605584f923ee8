/**
 * The amounts that a guest and the outfitter owe each other for a booking. While the booking is held or confirmed,
 * `total = paid + due − owed`. Once the booking is canceled, `paid = kept + owed`. All amounts are in cents, in the
 * booking's currency.
 */
import {
  computeWithheldCents,
  isMoneyWithheld,
  type PaidPayment,
  type Payment,
  type Refund,
  sumRefundedCents
} from "../payment/Payment.ts"
import { computeDeposit } from "../pricing/quote.ts"
import type { Instant } from "../time/Instant.ts"
import type { Booking } from "./Booking.ts"

export interface Balance {
  /**
   * The payments minus the refunds that are done or pending. Negative only if the provider returned more than was paid.
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
  const { paidCents } = computePayments(booking)
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
 * Returns the amount that a cancellation refunds if the outfitter keeps at most `keepCents`, and how much of it was
 * paid online.
 */
export const computeCancellationRefund = (booking: Booking, keepCents: number) => {
  const { onlineCents, paidCents } = computePayments(booking)
  const cents = paidCents - Math.min(keepCents, paidCents)
  return { cents, onlineCents: Math.min(onlineCents, cents) }
}

/**
 * Returns the amount of the online payments for the booking, before refunds. If the booking is unpaid but has a refund,
 * its payment was refunded in full, so the refund's amount is used. Default: the total.
 */
export const getOnlinePaymentCents = (
  { onlineCents, paidAt, refund, totalCents }: Pick<Booking, "onlineCents" | "paidAt" | "refund" | "totalCents">
): number => onlineCents ?? (paidAt === null ? refund?.cents : undefined) ?? totalCents

/**
 * Returns the amount that a guest pays online to confirm a booking, according to the booking's terms and creation time.
 */
export const computeDueNowCents = ({ createdAt, price, quantity, startsAt, totalCents }: Booking): number =>
  computeDeposit(price?.terms.pricing?.deposit ?? null, (startsAt - createdAt) / 3_600_000, totalCents, quantity)

/** Returns the amount of the online payments for the booking, or 0 before the first payment. */
export const getReceivedOnlineCents = (booking: Booking): number =>
  booking.paidAt === null ? 0 : getOnlinePaymentCents(booking)

/**
 * Returns the net amounts paid online and in total. A pending refund counts as done, because it is retried.
 */
const computePayments = (booking: Booking) => {
  const { deskCents, dispute, refund } = booking
  const unrefundedCents = getReceivedOnlineCents(booking) - (refund?.cents ?? 0)
  const withheldCents = isMoneyWithheld(dispute) ? dispute?.cents ?? unrefundedCents : 0
  const onlineCents = booking.paidAt === null ? 0 : unrefundedCents - withheldCents
  return { onlineCents, paidCents: onlineCents + deskCents }
}

/**
 * Updates the booking's fields that depend on its payments after some of them have changed: the online amount, and the
 * state and amount of the refund and the dispute. Payments that were refunded entirely as surplus count only if their
 * intent is the booking's `paymentIntentId`.
 */
export const applyPayments = <B extends Booking>(
  booking: B,
  storedPayments: ReadonlyArray<Payment>,
  changedPayments: ReadonlyArray<Payment>
): B => {
  if (changedPayments.every(({ status }) => status !== "paid")) return booking
  const unchangedPayments = storedPayments.filter(({ id }) => changedPayments.every((one) => one.id !== id))
  const paidPayments = [...unchangedPayments, ...changedPayments].filter((payment) => payment.status === "paid")
  const isOwn = ({ intent }: PaidPayment) => intent === booking.paymentIntentId
  /** In earlier versions, the refund of a second payment had no reason and was always a full refund. */
  const isSurplusRefund = (payment: PaidPayment) => ({ reason }: Refund) =>
    isOwn(payment) ? reason === "overpayment" && booking.paidAt !== null : reason === "overpayment" || reason === null
  const computeKept = (payment: PaidPayment) =>
    payment.cents - sumRefundedCents({ refunds: payment.refunds.filter(isSurplusRefund(payment)) })
  const countedPayments = paidPayments.filter((payment) => isOwn(payment) || computeKept(payment) > 0)
  const onlineCents = sum(countedPayments.map(computeKept))
  const refunds = countedPayments.flatMap((payment) =>
    payment.refunds.filter((refund) => refund.status !== "failed" && !isSurplusRefund(payment)(refund))
  )
  const disputes = countedPayments.flatMap(({ dispute }) => dispute ?? [])
  return {
    ...booking,
    onlineCents: booking.paidAt === null
      ? booking.onlineCents
      : onlineCents === booking.totalCents
      ? null
      : onlineCents,
    refund: combineStatuses(refunds, refundOrder, sum(refunds.map(({ cents }) => cents))),
    dispute: combineStatuses(disputes, disputeOrder, sum(countedPayments.map(computeWithheldCents)))
  }
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, cents) => total + cents, 0)

const refundOrder = ["refused", "due", "done"] as const
const disputeOrder = ["open", "lost", "won"] as const

/**
 * Returns the first status in `priority` that occurs, with the time of its last change, or null if none of them occurs.
 */
const combineStatuses = <Status extends string>(
  changes: ReadonlyArray<{ readonly status: Status | "failed"; readonly at: Instant }>,
  priority: ReadonlyArray<Status>,
  cents: number
) => {
  const status = priority.find((one) => changes.some((other) => other.status === one))
  const [at] = changes.filter((one) => one.status === status).map((one) => one.at).sort((a, b) => b - a)
  return status === undefined || at === undefined ? null : { status, cents, at }
}
