import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { askedOf } from "../booking/askedOf.ts"
import { type BookingCommand, bookingDecider } from "../booking/BookingDecider.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { Payments } from "../booking/Payments.ts"
import * as Decider from "../Decider.ts"
import type { Org } from "../org/Org.ts"
import type { Paid } from "../payment/Payment.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import * as Handler from "../task/Handler.ts"
import { moment } from "../time/moment.ts"
import { bookingSubjects } from "./bookingSubjects.ts"

/** A booking's payment as it is asked back. */
const paidOf = (record: BookingRecord, org: Org): Paid => {
  const { createdAt: now, id, paidAt, paymentIntentId, refund } = record.booking
  return {
    ...askedOf(record, org, { provider: "host", connection: null, id, attempt: 1, now }),
    status: "paid",
    session: null,
    intent: paymentIntentId ?? "",
    paidAt: paidAt ?? now,
    refund: { status: "due", at: refund?.at ?? now },
    disputedAt: null
  }
}

/**
 * Money that goes back to a guest. It is theirs, so it is never given up; what has
 * failed for a day is shown to people. How far it is, its booking says.
 *
 * @category handlers
 */
export const refunds = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const payments = yield* Payments
  const { run } = yield* UnitOfWork
  const read = yield* bookingSubjects

  const report = ({ booking: { id, orgId } }: BookingRecord, _tag: "Refunded" | "RefuseRefund") =>
    run(Effect.gen(function*() {
      const [record] = yield* bookings.lock([{ orgId, id }])
      if (record === undefined) return
      const command: Extract<BookingCommand, { readonly _tag: typeof _tag }> = { _tag, now: yield* moment }
      const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(record.booking, command))
      if (events.length > 0) yield* bookings.put([state])
    }))

  return Handler.make({
    triedForMinutes: Infinity,
    read,
    run: (_, { org, record }) =>
      payments.refund(paidOf(record, org), record, org).pipe(
        Effect.tapError(({ reason }) => reason === "refused" ? report(record, "RefuseRefund") : Effect.void),
        Effect.mapError(({ message }) => new Handler.TaskFailed({ message, permanent: false })),
        Effect.zipRight(report(record, "Refunded")),
        Effect.as("done" as const)
      )
  })
})
