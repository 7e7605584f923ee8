import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { withPayments } from "../../booking/balance.ts"
import { type Booking, withUpdatedAt } from "../../booking/Booking.ts"
import { isEqualJson } from "../../booking/BookingDecider.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import * as Decider from "../../Decider.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { TenantScope } from "../../port/TenantScope.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import type { Task } from "../../task/Task.ts"
import { TaskStore } from "../../task/TaskStore.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import { makePutPayments } from "../ledger/onlineEntries.ts"
import type { Payment } from "../Payment.ts"
import { type PaymentCommand, paymentDecider } from "../PaymentDecider.ts"
import { makeLockPayments } from "./lockPayments.ts"

/** The changed booking, payments, and tasks, and the result. */
export interface BookingUpdate<A> {
  readonly answer: A
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
    change: (now: Instant, record: BookingRecord, payments: ReadonlyArray<Payment>) => BookingUpdate<A>
  ): Effect.Effect<A | undefined> =>
    run(Effect.gen(function*() {
      const [record] = yield* bookings.lock([key])
      if (record === undefined) return undefined
      const lockedPayments = yield* lockPayments([record])
      const now = yield* currentTime
      const update = change(now, record, lockedPayments)
      const { payments = [] } = update
      const before = update.booking ?? record.booking
      const after = withPayments(before, lockedPayments, payments)
      if (update.booking !== undefined || !isEqualMoney(before, after)) {
        yield* bookings.update([withUpdatedAt(after, now)])
      }
      yield* putPayments(payments)
      if (update.tasks !== undefined && update.tasks.length > 0) yield* taskStore.add(update.tasks)
      if (update.booking !== undefined || update.payments !== undefined) yield* log.touch(key.orgId)
      return update.answer
    })).pipe(Effect.provideService(TenantScope, [key.orgId]))
})

const isEqualMoney = (one: Booking, other: Booking): boolean =>
  one.onlineCents === other.onlineCents && isEqualJson(one.refund, other.refund) &&
  isEqualJson(one.dispute, other.dispute)

/** Returns the new state of a payment and its events. */
export const runPaymentDecider = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))
