/**
 * Decides how a received payment changes its booking and the payment itself. The decision is pure.
 *
 * The booking keeps at most the amount due, and only if its capacity is held or available again. The rest is refunded:
 * for example, a payment for a canceled booking, a second payment of the same amount, or a payment that arrived after
 * its capacity was sold. In the last case, the hold is canceled.
 */
import * as Either from "effect/Either"
import { computeBalance, getReceivedOnlineCents } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import { type BookingCommand, bookingDecider, type BookingEvent } from "../../booking/BookingDecider.ts"
import * as Decider from "../../Decider.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Payment } from "../Payment.ts"
import { paymentDecider, type PaymentEvent } from "../PaymentDecider.ts"

/** The new states of the booking and the payment, and their events. */
export interface Settlement {
  readonly booking: Decider.Decision<Booking, BookingEvent>
  readonly payment: Decider.Decision<Payment, PaymentEvent>
}

/** Settles a received payment. A repeated report of the same payment changes nothing. */
export const settlePayment = (booking: Booking, payment: Payment, landed: {
  readonly now: Instant
  readonly intent: string
  readonly placeIsFree: boolean
}): Settlement => {
  if (payment.status === "paid") {
    return { booking: { state: booking, events: [] }, payment: { state: payment, events: [] } }
  }
  const { intent, now, placeIsFree } = landed
  const { cents } = payment
  const decision = pay(booking, { _tag: "Pay", now, paymentIntentId: intent, placeIsFree, cents })
  const capture = {
    _tag: "Capture",
    now,
    intent,
    keptCents: Math.max(0, getReceivedOnlineCents(decision.state) - getReceivedOnlineCents(booking))
  } as const
  return { booking: decision, payment: Either.getOrThrow(Decider.run(paymentDecider)(payment, capture)) }
}

const pay = (booking: Booking, command: Extract<BookingCommand, { readonly _tag: "Pay" }>) => {
  const { dueCents } = computeBalance(booking)
  if (booking.status !== "confirmed" || booking.paymentIntentId === null || dueCents === 0) {
    return Either.getOrThrow(Decider.run(bookingDecider)(booking, command))
  }
  // The booking stores only the ID of its first payment. The amount of a later payment is added here, because only this
  // function knows that the payment is new.
  const cents = getReceivedOnlineCents(booking) + Math.min(command.cents ?? 0, dueCents)
  const events: ReadonlyArray<BookingEvent> = [{ _tag: "payment.added", at: command.now, cents }]
  return { events, state: events.reduce(bookingDecider.evolve, booking) }
}
