/**
 * Decides how a received payment changes its booking and the payment itself. It is pure.
 *
 * The first payment pays for the booking if its place is held or free again. All others are refunded in full: a second
 * payment, a payment for a canceled booking, and a payment that arrived too late for its place, whose hold is then
 * canceled.
 */
import * as Either from "effect/Either"
import type { Booking } from "../../booking/Booking.ts"
import { bookingDecider, type BookingEvent } from "../../booking/BookingDecider.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Payment } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** The new states of the booking and the payment, and their events. */
export interface Settlement {
  readonly booking: Decider.Decision<Booking, BookingEvent>
  readonly payment: Decider.Decision<Payment, PaymentEvent>
}

/** A repeated report of the same payment changes nothing. */
export const settlePayment = (booking: Booking, payment: Payment, landed: {
  readonly now: Instant
  readonly intent: string
  readonly placeIsFree: boolean
}): Settlement => {
  if (payment.status === "paid") {
    return { booking: { state: booking, events: [] }, payment: { state: payment, events: [] } }
  }
  const { intent, now, placeIsFree } = landed
  const paid = Either.getOrThrow(
    Decider.run(bookingDecider)(booking, {
      _tag: "Pay",
      now,
      paymentIntentId: intent,
      placeIsFree,
      cents: payment.cents
    })
  )
  const isKept = paid.state.status === "confirmed" && paid.state.paymentIntentId === intent
  return {
    booking: paid,
    payment: Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Capture", now, intent, isKept }))
  }
}
