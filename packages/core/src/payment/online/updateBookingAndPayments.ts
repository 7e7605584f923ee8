import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { applyPayments, getOnlinePaymentCents } from "../../booking/balance.ts"
import { type Booking, withUpdatedAt } from "../../booking/Booking.ts"
import { isEqualJson } from "../../booking/BookingDecider.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import * as Decider from "../../Decider.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { TenantScope, UnitOfWork } from "../../port/UnitOfWork.ts"
import type { Task } from "../../task/Task.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import { makePutPayments } from "../ledger/toOnlineEntries.ts"
import { deriveRefundId, type PaidPayment, type Payment, PaymentStore } from "../Payment.ts"
import { type PaymentCommand, paymentDecider } from "../PaymentDecider.ts"
import { makePaymentRequest } from "./paymentChanges.ts"

/** The changed booking, payments, and tasks, and the result. */
export interface BookingUpdate<A> {
  readonly result: A
  readonly booking?: Booking | undefined
  readonly payments?: ReadonlyArray<Payment>
  readonly tasks?: ReadonlyArray<Task>
}

/**
 * Locks and updates a booking and its payments in one transaction. Derives the booking's amounts from its payments.
 * Returns `undefined` if the booking does not exist. The update occupies no capacity and appends no events. Use
 * `BookingWriter` for changes that occupy capacity or append events.
 */
export const makeUpdateBookingAndPayments = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const log = yield* EventLog
  const lockPayments = yield* makeLockPayments
  const putPayments = yield* makePutPayments
  const taskStore = yield* TaskStore
  const { run } = yield* UnitOfWork
  return <A>(
    key: OrgKey,
    decide: (now: Instant, record: BookingRecord, payments: ReadonlyArray<Payment>) => BookingUpdate<A>
  ): Effect.Effect<A | undefined> =>
    run(Effect.gen(function*() {
      const [record] = yield* bookings.lock([key])
      if (record === undefined) return undefined
      const lockedPayments = yield* lockPayments([record])
      const now = yield* currentTime
      const update = decide(now, record, lockedPayments)
      const { payments = [] } = update
      const before = update.booking ?? record.booking
      const after = applyPayments(before, lockedPayments, payments)
      if (update.booking !== undefined || !isEqualMoney(before, after)) {
        yield* bookings.update([withUpdatedAt(after, now)])
      }
      yield* putPayments(payments)
      if (update.tasks !== undefined && update.tasks.length > 0) yield* taskStore.add(update.tasks)
      if (update.booking !== undefined || update.payments !== undefined) yield* log.touch(key.orgId)
      return update.result
    })).pipe(Effect.provideService(TenantScope, [key.orgId]))
})

const isEqualMoney = (one: Booking, other: Booking): boolean =>
  one.onlineCents === other.onlineCents && isEqualJson(one.refund, other.refund) &&
  isEqualJson(one.dispute, other.dispute)

/** Returns the new state of a payment and its events. */
export const runPaymentDecider = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))

/** Locks and returns the payments of locked bookings. Skips the query for free bookings, which have no payments. */
export const makeLockPayments = Effect.gen(function*() {
  const payments = yield* PaymentStore

  /** Returns the payment that an earlier version stored only on the booking. */
  const adoptPayment = (record: BookingRecord, others: ReadonlyArray<Payment>): ReadonlyArray<Payment> => {
    const { id, paidAt, paymentIntentId, refund, createdAt: now } = record.booking
    if (paymentIntentId === null) return []
    const attempt = 1 + others.reduce((most, other) => Math.max(most, other.attempt), 0)
    const payment: PaidPayment = {
      ...makePaymentRequest(record, { provider: "host", connection: null, id, attempt, now }),
      cents: getOnlinePaymentCents(record.booking),
      status: "paid",
      session: null,
      intent: paymentIntentId,
      paidAt: paidAt ?? now,
      refunds: refund === null ? [] : [{
        id: deriveRefundId(id, 0),
        cents: refund.cents,
        reason: null,
        createdAt: refund.at,
        status: refund.status,
        at: refund.at,
        providerId: refund.status === "done" ? "before" : null,
        error: null,
        refusals: 0
      }],
      dispute: record.booking.dispute,
      mismatch: null
    }
    return [payment]
  }

  return (records: ReadonlyArray<BookingRecord>): Effect.Effect<ReadonlyArray<Payment>> =>
    Effect.gen(function*() {
      const costly = records.filter(({ booking }) => booking.totalCents > 0 || booking.paymentIntentId !== null)
      if (costly.length === 0) return []
      const storedPayments = yield* payments.lockOfBookings(costly.map(({ booking: { id, orgId } }) => ({ orgId, id })))
      const adoptedPayments = costly.flatMap((record) => {
        const bookingPayments = storedPayments.filter(({ bookingId, orgId }) =>
          bookingId === record.booking.id && orgId === record.booking.orgId
        )
        const isKnown = bookingPayments.some((payment) =>
          payment.status === "paid" && payment.intent === record.booking.paymentIntentId
        )
        return isKnown ? [] : adoptPayment(record, bookingPayments)
      })
      return [...storedPayments, ...adoptedPayments]
    })
})
