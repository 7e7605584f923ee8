/**
 * What a payment that has landed does to its booking, and the booking to it. Pure.
 *
 * The first payment of a booking whose place is kept, or is free again, pays for it.
 * Every other goes back in full: a second one, one for a booking that was
 * cancelled, and one that came too late for its place, whose hold is cancelled.
 */
import * as Either from "effect/Either"
import type { Booking } from "../../booking/Booking.ts"
import { bookingDecider, type BookingEvent } from "../../booking/BookingDecider.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Payment } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** Both as they are afterwards, with what happened to each. */
export interface Settlement {
  readonly booking: Decider.Decision<Booking, BookingEvent>
  readonly payment: Decider.Decision<Payment, PaymentEvent>
}

/** Told a second time of the same payment, it changes nothing. */
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
    Decider.run(bookingDecider)(booking, { _tag: "Pay", now, paymentIntentId: intent, placeIsFree })
  )
  const isKept = paid.state.status === "confirmed" && paid.state.paymentIntentId === intent
  return {
    booking: paid,
    payment: Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Capture", now, intent, isKept }))
  }
}
