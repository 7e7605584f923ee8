import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type { Payment } from "../payment/Payment.ts"
import { PaymentStore } from "../payment/PaymentStore.ts"
import type { Task } from "../task/Task.ts"
import { orgsOf } from "./orgsOf.ts"

/**
 * A payment as a task finds it.
 *
 * @category models
 */
export interface PaymentSubject {
  readonly payment: Payment
  readonly record: BookingRecord
  readonly org: Org
}

/**
 * Reads the payments that tasks are about, with their bookings. `idOf` says which a
 * task is about.
 *
 * @category reading
 */
export const paymentSubjects = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const orgs = yield* OrgStore
  const payments = yield* PaymentStore
  return (
    tasks: ReadonlyArray<Task>,
    idOf: (task: Task) => string = ({ subjectId }) => subjectId
  ): Effect.Effect<ReadonlyArray<PaymentSubject | undefined>> =>
    Effect.gen(function*() {
      const found = yield* payments.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
      const records = yield* bookings.find(found.map(({ bookingId: id, orgId }) => ({ orgId, id })))
      const outfitters = yield* orgsOf(orgs, tasks)
      return tasks.map((task) => {
        const { orgId } = task
        const payment = found.find((one) => one.id === idOf(task) && one.orgId === orgId)
        const record = records.find(({ booking }) => booking.id === payment?.bookingId && booking.orgId === orgId)
        const org = outfitters.get(orgId)
        return payment && record && org && { payment, record, org }
      })
    })
})
