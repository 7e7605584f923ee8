import * as Either from "effect/Either"
import type { Booking } from "../../booking/Booking.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import { isPayable, type Payment } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** A payment as it is afterwards, with what happened to it. */
export type PaymentChange = Decider.Decision<Payment, PaymentEvent>

/** What is still asked for ends where a booking was confirmed without it. */
export const paymentsOnConfirm = (payments: ReadonlyArray<Payment>): ReadonlyArray<PaymentChange> =>
  payments.filter(isPayable).map((payment) =>
    Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Expire" }))
  )

/**
 * What a cancelled booking does to its payments: those that nobody has paid end, and
 * what had paid for it goes back where it is refunded. Only what changes.
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
      Decider.run(paymentDecider)(payment, payment.status === "paid" ? { _tag: "Return", now } : { _tag: "Expire" })
    )
  }).filter(({ events }) => events.length > 0)
