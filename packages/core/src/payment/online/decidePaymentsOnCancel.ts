import * as Either from "effect/Either"
import type { BookingEvent } from "../../booking/BookingDecider.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import { computeRefundableCents, isPayable, type Payment, type Refund } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** The new state of a payment and its events. */
export type PaymentChange = Decider.Decision<Payment, PaymentEvent>

/** Expires the open payments of a booking that was confirmed without them. */
export const expireOpenPayments = (payments: ReadonlyArray<Payment>): ReadonlyArray<PaymentChange> =>
  payments.filter(isPayable).map((payment) =>
    Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Expire" }))
  )

/**
 * Returns the changed payments for a canceled booking. Unpaid payments expire, and paid payments are refunded as
 * decided by the cancellation.
 */
export const decidePaymentsOnCancel = (
  events: ReadonlyArray<BookingEvent>,
  payments: ReadonlyArray<Payment>,
  now: Instant
): ReadonlyArray<PaymentChange> => {
  const cancellation = events.find((event) => event._tag === "booking.cancelled")
  return cancellation === undefined
    ? []
    : [
      ...expireOpenPayments(payments),
      ...refundFromPayments(payments, cancellation.refundCents ?? 0, "cancellation", now)
    ]
}

/**
 * Refunds an amount from the paid payments, newest first, up to the refundable amount of each payment. `idAt` returns
 * the refund ID for each index.
 */
export const refundFromPayments = (
  payments: ReadonlyArray<Payment>,
  cents: number,
  reason: Refund["reason"],
  now: Instant,
  idAt?: (index: number) => string
): ReadonlyArray<PaymentChange> => {
  let remainingCents = cents
  let refundCount = 0
  return payments.toSorted((a, b) => b.attempt - a.attempt).flatMap((payment) => {
    const part = Math.min(remainingCents, computeRefundableCents(payment))
    if (payment.status !== "paid" || part === 0) return []
    remainingCents -= part
    const command = { _tag: "Return", now, cents: part, reason, count: payment.refunds.length } as const
    const id = idAt === undefined ? {} : { id: idAt(refundCount++) }
    return [Either.getOrThrow(Decider.run(paymentDecider)(payment, { ...command, ...id }))]
  })
}
