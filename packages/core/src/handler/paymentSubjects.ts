import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Org } from "../org/Org.ts"
import type { Payment } from "../payment/Payment.ts"
import { PaymentStore } from "../payment/PaymentStore.ts"
import type { Task } from "../task/Task.ts"
import { makeAttachOrg } from "./withOrg.ts"

/** The payment of a task. */
export interface PaymentSubject {
  readonly payment: Payment
  readonly record: BookingRecord
  readonly org: Org
}

/** Loads the payments of tasks with their bookings. `idOf` returns the payment ID of a task. */
export const paymentSubjects = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const payments = yield* PaymentStore
  const withOrgs = yield* makeAttachOrg
  return (
    tasks: ReadonlyArray<Task>,
    idOf: (task: Task) => string = ({ subjectId }) => subjectId
  ): Effect.Effect<ReadonlyArray<PaymentSubject | undefined>> =>
    Effect.gen(function*() {
      const found = yield* payments.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
      const records = yield* bookings.find(found.map(({ bookingId: id, orgId }) => ({ orgId, id })))
      return yield* withOrgs(tasks, (task) => {
        const payment = found.find((one) => one.id === idOf(task) && one.orgId === task.orgId)
        const record = records.find(({ booking }) => booking.id === payment?.bookingId && booking.orgId === task.orgId)
        return payment && record && { payment, record }
      })
    })
})
