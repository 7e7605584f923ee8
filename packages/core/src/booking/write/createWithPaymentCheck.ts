/**
 * Creates bookings that may require online payment. The query for the payment account runs third-party code, so it runs
 * outside the transaction, with a timeout, and only if payment may be due.
 *
 * The price is known only after it is read under the lock, so the first attempt skips the query. If the attempt fails
 * with `PaymentStatusRequired`, the account is queried and the booking is retried. If an earlier booking for the
 * offering required payment, the account is queried first, to save the retry. If that query times out, the booking is
 * attempted anyway, because the offering may be free by now, or the request may be a repeat.
 */
import * as Effect from "effect/Effect"
import { Payments, queryPaymentAccount } from "../../payment/online/Payments.ts"
import { unavailable } from "../../Refusal.ts"
import type { CreateBookingRequest } from "../createBooking.ts"
import { BookingWriter } from "./BookingWriter.ts"

/**
 * The maximum number of cached offerings that required payment. After the cache is cleared, the next booking for each
 * offering costs one extra attempt.
 */
const maxCached = 10_000

/** Creates a function that submits a request to the writer, with the payment account if it is required. */
export const makeCreateWithPaymentCheck = Effect.gen(function*() {
  const writer = yield* BookingWriter
  const payments = yield* Payments
  const paidFor = new Set<string>()
  const checkPayments = (order: CreateBookingRequest) =>
    Effect.map(queryPaymentAccount(payments, order.orgId), (account) => ({ ...order, connected: account }))

  return (order: CreateBookingRequest) =>
    Effect.gen(function*() {
      const offering = `${order.orgId} ${order.offeringId}`
      const isKnown = order.isWalkIn !== true && paidFor.has(offering)
      const first = isKnown ? yield* checkPayments(order) : order
      return yield* Effect.catchTag(writer.create(first), "PaymentStatusRequired", () =>
        Effect.gen(function*() {
          const second = isKnown ? first : yield* checkPayments(order)
          if (second.connected === undefined) {
            paidFor.delete(offering)
            return yield* unavailable(noAnswer)
          }
          if (paidFor.size === maxCached) paidFor.clear()
          paidFor.add(offering)
          return yield* Effect.catchTag(writer.create(second), "PaymentStatusRequired", Effect.die)
        }))
    })
})

const noAnswer = "The payment provider did not respond, so nothing was booked. Retry with the same idempotency_key."
