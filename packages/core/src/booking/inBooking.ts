import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Decider from "../Decider.ts"
import type { Key } from "../offering/OfferingStore.ts"
import type { Payment } from "../payment/Payment.ts"
import { type PaymentCommand, paymentDecider } from "../payment/PaymentDecider.ts"
import { PaymentStore } from "../payment/PaymentStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Tenants } from "../port/Tenants.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Task } from "../task/Task.ts"
import { TaskStore } from "../task/TaskStore.ts"
import type { Instant } from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import type { Booking } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import { lockingPayments } from "./lockingPayments.ts"

/**
 * What is to be written of a booking and its payments, and what to answer.
 *
 * @category models
 */
export interface Written<A> {
  readonly answer: A
  readonly booking?: Booking | undefined
  readonly payments?: ReadonlyArray<Payment>
  readonly tasks?: ReadonlyArray<Task>
}

/**
 * Changes a booking and its payments in one unit of work, both locked; `undefined`
 * where there is no such booking. It takes no place and tells the feed of nothing:
 * what does goes to the desk.
 *
 * @category writing
 */
export const inBooking = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const log = yield* EventLog
  const lockPayments = yield* lockingPayments
  const payments = yield* PaymentStore
  const taskStore = yield* TaskStore
  const { run } = yield* UnitOfWork
  return <A>(
    key: Key,
    change: (now: Instant, record: BookingRecord, payments: ReadonlyArray<Payment>) => Written<A>
  ): Effect.Effect<A | undefined> =>
    run(Effect.gen(function*() {
      const [record] = yield* bookings.lock([key])
      if (record === undefined) return undefined
      const locked = yield* lockPayments([record])
      const written = change(yield* moment, record, locked)
      if (written.booking !== undefined) yield* bookings.put([written.booking])
      if (written.payments !== undefined && written.payments.length > 0) yield* payments.put(written.payments)
      if (written.tasks !== undefined && written.tasks.length > 0) yield* taskStore.add(written.tasks)
      if (written.booking !== undefined || written.payments !== undefined) yield* log.touch(key.orgId)
      return written.answer
    })).pipe(Effect.provideService(Tenants, [key.orgId]))
})

/**
 * A payment after a command, with what happened to it.
 *
 * @category deciding
 */
export const decided = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))
