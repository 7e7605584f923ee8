import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { bookingDecider } from "../booking/BookingDecider.ts"
import { decided, inBooking } from "../booking/inBooking.ts"
import { Payments } from "../booking/Payments.ts"
import { withinTime } from "../booking/withinTime.ts"
import * as Decider from "../Decider.ts"
import type { Paid } from "../payment/Payment.ts"
import { isOwed } from "../payment/PaymentDecider.ts"
import * as Handler from "../task/Handler.ts"
import type { Instant } from "../time/Instant.ts"
import { done } from "./done.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Money that goes back to a guest. It is theirs, so it is never given up; what has
 * failed for a day is shown to people. How far it is, its payment says, and the
 * booking where that was paid with it.
 *
 * @category handlers
 */
export const refunds = Effect.gen(function*() {
  const change = yield* inBooking
  const payments = yield* Payments
  const read = yield* paymentSubjects

  const report = (
    { bookingId, id, orgId }: Paid,
    outcome: { readonly id: string } | { readonly error: string }
  ) =>
    change({ orgId, id: bookingId }, (now, { booking }, all) => {
      const current = all.find((payment) => payment.id === id)
      if (current?.status !== "paid") return { answer: undefined }
      const paid = decided(current, commandOf(outcome, now))
      if (paid.events.length === 0) return { answer: undefined }
      const isOwn = current.intent === booking.paymentIntentId
      const command = { _tag: "id" in outcome ? "Refunded" as const : "RefuseRefund" as const, now }
      const told = isOwn ? Either.getOrThrow(Decider.run(bookingDecider)(booking, command)) : undefined
      return {
        answer: undefined,
        payments: [paid.state],
        booking: told === undefined || told.events.length === 0 ? undefined : told.state
      }
    })

  return Handler.make({
    triedForMinutes: Infinity,
    read,
    run: (_, { org, payment, record }) => {
      if (!isOwed(payment)) return Handler.nothingToDo
      return withinTime(payments.refund(payment, record, org)).pipe(
        Effect.tapError(({ message, reason }) =>
          reason === "refused" ? report(payment, { error: message }) : Effect.void
        ),
        Effect.flatMap((id) => report(payment, { id })),
        done
      )
    }
  })
})

const commandOf = (outcome: { readonly id: string } | { readonly error: string }, now: Instant) =>
  "id" in outcome
    ? { _tag: "Returned" as const, now, id: outcome.id }
    : { _tag: "Refuse" as const, now, error: outcome.error }
