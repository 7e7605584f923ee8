/**
 * Orders that may have to be paid online. Whether an outfitter takes money is
 * asked of other people's code, so never in a unit of work, only where money may
 * be due, and not for longer than it is worth waiting.
 *
 * Whether money is due is known once the price is read under its lock. So an
 * order is made unasked at first; where it cannot be decided so, the provider is
 * asked and the order made again. An offering that was paid for before is asked
 * about first, which saves the second way; if nobody answers, the order is made
 * all the same, for it may be free by now or a repeat.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Payments } from "../payment/online/Payments.ts"
import { unavailable } from "../Refusal.ts"
import type { CreateBooking } from "./createBooking.ts"
import { BookingWriter } from "./write/BookingWriter.ts"

const answersWithin = "5 seconds"

/** Beyond so many the offerings that were paid for are forgotten: each costs one more try then. */
const remembered = 10_000

/** Submits an order to the desk once it says what has to be known of payments. */
export const makeCreateWithPaymentCheck = Effect.gen(function*() {
  const desk = yield* BookingWriter
  const { connected } = yield* Payments
  const paidFor = new Set<string>()
  const asked = (order: CreateBooking) =>
    Effect.map(
      Effect.timeoutOption(Effect.disconnect(connected(order.orgId)), answersWithin),
      (answer) => ({ ...order, connected: Option.getOrUndefined(answer) })
    )

  return (order: CreateBooking) =>
    Effect.gen(function*() {
      const offering = `${order.orgId} ${order.offeringId}`
      const isKnown = paidFor.has(offering)
      const first = isKnown ? yield* asked(order) : order
      return yield* Effect.catchTag(desk.submit(first), "PaymentStatusRequired", () =>
        Effect.gen(function*() {
          const second = isKnown ? first : yield* asked(order)
          if (second.connected === undefined) {
            paidFor.delete(offering)
            return yield* unavailable(noAnswer)
          }
          if (paidFor.size === remembered) paidFor.clear()
          paidFor.add(offering)
          return yield* Effect.catchTag(desk.submit(second), "PaymentStatusRequired", Effect.die)
        }))
    })
})

const noAnswer = "The payment provider did not answer, so nothing was booked. Repeat with the same idempotency_key."
