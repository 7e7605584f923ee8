import * as Effect from "effect/Effect"
import { onlinePaymentCents } from "../../booking/balance.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { type Paid, type Payment, refundIdAt } from "../Payment.ts"
import { PaymentStore } from "../PaymentStore.ts"
import { makePaymentRequest } from "./makePaymentRequest.ts"

/** Locks and returns the payments of locked bookings. Skips the query for free bookings, which have no payments. */
export const makeLockPayments = Effect.gen(function*() {
  const payments = yield* PaymentStore

  /** Returns the payment that an earlier version stored only on the booking. */
  const adoptPayment = (record: BookingRecord, others: ReadonlyArray<Payment>): ReadonlyArray<Payment> => {
    const { id, paidAt, paymentIntentId, refund, createdAt: now } = record.booking
    if (paymentIntentId === null) return []
    const attempt = 1 + others.reduce((most, other) => Math.max(most, other.attempt), 0)
    const payment: Paid = {
      ...makePaymentRequest(record, { provider: "host", connection: null, id, attempt, now }),
      cents: onlinePaymentCents(record.booking),
      status: "paid",
      session: null,
      intent: paymentIntentId,
      paidAt: paidAt ?? now,
      refunds: refund === null ? [] : [{
        id: refundIdAt(id, 0),
        cents: refund.cents,
        reason: null,
        createdAt: refund.at,
        status: refund.status,
        at: refund.at,
        providerId: refund.status === "done" ? "before" : null,
        error: null,
        refusals: 0
      }],
      dispute: record.booking.dispute,
      mismatch: null
    }
    return [payment]
  }

  return (records: ReadonlyArray<BookingRecord>): Effect.Effect<ReadonlyArray<Payment>> =>
    Effect.gen(function*() {
      const costly = records.filter(({ booking }) => booking.totalCents > 0 || booking.paymentIntentId !== null)
      if (costly.length === 0) return []
      const storedPayments = yield* payments.lockOfBookings(costly.map(({ booking: { id, orgId } }) => ({ orgId, id })))
      const adoptedPayments = costly.flatMap((record) => {
        const bookingPayments = storedPayments.filter(({ bookingId, orgId }) =>
          bookingId === record.booking.id && orgId === record.booking.orgId
        )
        const isKnown = bookingPayments.some((payment) =>
          payment.status === "paid" && payment.intent === record.booking.paymentIntentId
        )
        return isKnown ? [] : adoptPayment(record, bookingPayments)
      })
      return [...storedPayments, ...adoptedPayments]
    })
})
