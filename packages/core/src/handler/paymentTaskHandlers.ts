import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Org } from "../org/Org.ts"
import { Checkouts } from "../payment/online/Checkouts.ts"
import { makeRefundPayment } from "../payment/online/makeRefundPayment.ts"
import { isRefundOwed, type Payment, PaymentStore } from "../payment/Payment.ts"
import { refundFailedLaterMessage } from "../payment/PaymentDecider.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { makeAttachOrg, runAsTask } from "./taskSubjects.ts"

/**
 * Refunds a payment. The money belongs to the guest, so the task never fails permanently. If the provider has not sent
 * the money yet, or if a dispute blocks the refund, the task is postponed. A postponed task does not count as failed.
 */
export const makeRefundHandler = Effect.gen(function*() {
  const loadSubjects = yield* makeLoadPaymentSubjects
  const { attempt } = yield* makeRefundPayment
  const postpone = (minutes: number) =>
    Effect.map(currentTime, (now): Handler.TaskResult => ({ laterAt: Instant.addMinutes(now, minutes) }))

  return Handler.make({
    triedForMinutes: Infinity,
    read: loadSubjects,
    run: (_, { org, payment, record }) => {
      const owedRefunds = payment.status === "paid" ? payment.refunds.filter(isRefundOwed) : []
      if (payment.status !== "paid" || owedRefunds.length === 0) return Handler.nothingToDo
      // A refund during a dispute would pay the guest twice. Retry after the bank has decided.
      if (payment.dispute?.status === "open") return postpone(disputedMinutes)
      // One task can cover several refunds for the payment. A refused refund does not delay the other refunds.
      return Effect.forEach(owedRefunds, (refund) => Effect.either(attempt(payment, refund, record, org))).pipe(
        Effect.flatMap((results) => {
          const refusal = results.find(Either.isLeft)
          const statuses = new Set(results.flatMap((result) => Either.isRight(result) ? [result.right] : []))
          return refusal !== undefined
            ? new Handler.TaskFailed({ message: refusal.left.message, permanent: false })
            : statuses.has("failed")
            ? new Handler.TaskFailed({ message: refundFailedLaterMessage, permanent: false })
            : statuses.has("pending")
            ? postpone(pendingMinutes)
            : Effect.succeed<Handler.TaskResult>("done")
        })
      )
    }
  })
})

/**
 * How often a pending refund is checked if no payment webhook arrives. Payment webhooks usually report the result
 * sooner.
 */
const pendingMinutes = 60

const disputedMinutes = 6 * 60

/**
 * Opens and closes the checkouts for holds. `open` opens a checkout if the request that created the payment did not,
 * and `close` expires the checkout after the hold ends. A checkout expires within a day, so `open` is retried for a
 * day, and `close` for two days.
 */
export const makeCheckoutHandlers = Effect.gen(function*() {
  const { close, open } = yield* Checkouts
  const loadSubjects = yield* makeLoadPaymentSubjects
  const dayMinutes = 24 * 60
  return {
    open: Handler.make({
      triedForMinutes: dayMinutes,
      read: loadSubjects,
      run: (_, { payment, record }) => payment.status === "opening" ? runAsTask(open(record)) : Handler.nothingToDo
    }),
    close: Handler.make({
      triedForMinutes: 2 * dayMinutes,
      read: loadSubjects,
      run: (_, { payment, record }) =>
        Effect.mapError(
          close(payment, record.booking),
          ({ message }) => new Handler.TaskFailed({ message, permanent: false })
        )
    })
  }
})

/** The payment for a task. */
export interface PaymentSubject {
  readonly payment: Payment
  readonly record: BookingRecord
  readonly org: Org
}

/** Loads the payments for tasks, with their bookings. `getPaymentId` returns the payment ID of a task. */
export const makeLoadPaymentSubjects = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const payments = yield* PaymentStore
  const attachOrgs = yield* makeAttachOrg
  return (
    tasks: ReadonlyArray<Task>,
    getPaymentId: (task: Task) => string = ({ subjectId }) => subjectId
  ): Effect.Effect<ReadonlyArray<PaymentSubject | undefined>> =>
    Effect.gen(function*() {
      const rows = yield* payments.find(tasks.map((task) => ({ orgId: task.orgId, id: getPaymentId(task) })))
      const records = yield* bookings.find(rows.map(({ bookingId: id, orgId }) => ({ orgId, id })))
      return yield* attachOrgs(tasks, (task) => {
        const payment = rows.find((row) => row.id === getPaymentId(task) && row.orgId === task.orgId)
        const record = records.find(({ booking }) => booking.id === payment?.bookingId && booking.orgId === task.orgId)
        return payment && record && { payment, record }
      })
    })
})
