/**
 * Applies a payment's state at the provider to the payment and its booking. Duplicate, late, or out-of-order states
 * change nothing. If the amount, the currency, or the payment ID does not match, the payment settles nothing. The
 * mismatch is recorded, and the staff are notified.
 */
import * as Effect from "effect/Effect"
import { type Held, isLive, withUpdatedAt } from "../../booking/Booking.ts"
import { BookingWriter } from "../../booking/write/BookingWriter.ts"
import { Ids } from "../../port/Ids.ts"
import { TenantScope } from "../../port/TenantScope.ts"
import type { Refusal } from "../../Refusal.ts"
import type { Payment } from "../Payment.ts"
import type { FoundCheckout } from "../PaymentProvider.ts"
import { makeNextAttempt } from "./matchPayment.ts"
import { isMismatch, makeRecordMismatch } from "./paymentMismatch.ts"
import { checkoutTasks, paymentTasks } from "./paymentTasks.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"

export const makeApplyProviderStatus = Effect.gen(function*() {
  const change = yield* makeUpdateBookingAndPayments
  const writer = yield* BookingWriter
  const ids = yield* Ids
  const mismatch = yield* makeRecordMismatch

  const pay = ({ bookingId, id: paymentId, orgId }: Payment, paymentIntentId: string) =>
    writer.update({ _tag: "Pay", key: { orgId, id: bookingId }, paymentIntentId, paymentId }).pipe(
      Effect.asVoid,
      // Bookings are never deleted, so a missing booking cannot occur and is ignored.
      Effect.catchAll<Refusal<"not_found">, void, never, never>(() => Effect.void),
      Effect.provideService(TenantScope, [orgId])
    )

  /** If a checkout expires before its hold, the checkout's URL no longer works. The guest gets a new URL. */
  const expire = ({ bookingId, id, orgId }: Payment) =>
    change({ orgId, id: bookingId }, (now, record, all) => {
      const current = all.find((payment) => payment.id === id)
      const decision = current === undefined ? undefined : runPaymentDecider(current, { _tag: "Expire" })
      if (decision === undefined || decision.events.length === 0) return { answer: undefined }
      const { booking } = record
      const tasks = paymentTasks(decision.state, decision.events, { now, newId: ids.uuid })
      if (booking.status !== "held" || !booking.paymentDue || !isLive(booking, now)) {
        return { answer: undefined, payments: [decision.state], tasks }
      }
      const next = makeNextAttempt(record, all, { id: ids.uuid(), now, taker: decision.state })
      return {
        answer: undefined,
        booking: { ...withUpdatedAt(booking, now), checkoutUrl: null } satisfies Held,
        payments: [decision.state, next],
        tasks: [...tasks, ...checkoutTasks(next, booking.expiresAt, ids.uuid)]
      }
    })

  /** Returns false if the payment does not match. A mismatch is recorded instead of settled. */
  return (
    payment: Payment,
    checkout: FoundCheckout | { readonly status: "expired" }
  ): Effect.Effect<boolean> => {
    switch (checkout.status) {
      case "paid":
        return isMismatch(payment, checkout)
          ? Effect.as(mismatch(payment, checkout), false)
          : Effect.as(pay(payment, checkout.intent), true)
      case "expired":
        return Effect.as(expire(payment), true)
      case "open":
        return Effect.succeed(true)
    }
  }
})
