import * as Either from "effect/Either"
import type { Booking } from "../../booking/Booking.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import { isPayable, type Payment } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** The new state of a payment and its events. */
export type PaymentChange = Decider.Decision<Payment, PaymentEvent>

/** Expires the open payments of a booking that was confirmed without paying them. */
export const paymentsOnConfirm = (payments: ReadonlyArray<Payment>): ReadonlyArray<PaymentChange> =>
  payments.filter(isPayable).map((payment) =>
    Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Expire" }))
  )

/**
 * Returns the changed payments of a canceled booking: unpaid payments expire, and the payment of the booking is
 * refunded as far as the booking is.
 */
export const paymentsOnCancel = (
  { paymentIntentId, refund, status }: Booking,
  payments: ReadonlyArray<Payment>,
  now: Instant
): ReadonlyArray<PaymentChange> =>
  status !== "cancelled" ? [] : payments.map((payment) => {
    const paidFor = payment.status === "paid" && payment.intent === paymentIntentId
    if (payment.status === "paid" && !(paidFor && refund !== null)) return { state: payment, events: [] }
    return Either.getOrThrow(
      Decider.run(paymentDecider)(
        payment,
        payment.status === "paid"
          ? { _tag: "Return", now, cents: refund?.cents ?? payment.cents }
          : { _tag: "Expire" }
      )
    )
  }).filter(({ events }) => events.length > 0)
