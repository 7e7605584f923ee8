import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { formatAmount } from "../money/Currency.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import { Checkouts } from "../payment/online/Checkouts.ts"
import { makeRefundPayment } from "../payment/online/makeRefundPayment.ts"
import { isRefundOwed, type Payment, PaymentStore, type Refund } from "../payment/Payment.ts"
import { refundFailedLaterMessage } from "../payment/PaymentDecider.ts"
import type { StaffNotification } from "../staff/Notifier.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { formatGuestLines, makeStaffNotificationHandler } from "./staffNotificationHandler.ts"
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
      if (payment.status !== "paid" || owedRefunds.length === 0) return Handler.taskDone
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
      run: (_, { payment, record }) => payment.status === "opening" ? runAsTask(open(record)) : Handler.taskDone
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
const makeLoadPaymentSubjects = Effect.gen(function*() {
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

interface NoticeText {
  readonly subject: string
  readonly lead: string
  readonly rest: ReadonlyArray<string>
}

/** Notifies the staff of disputed payments, payments that do not match their request, and refused refunds. */
export const makePaymentNotificationHandler = ({ staffUrl }: { readonly staffUrl: string }) =>
  Effect.gen(function*() {
    const loadSubjects = yield* makeLoadPaymentSubjects
    const makeHandler = (
      about: StaffNotification["about"],
      composeText: (subject: PaymentSubject, now: Instant.Instant) => NoticeText | undefined
    ) =>
      makeStaffNotificationHandler(loadSubjects, (subject) =>
        Effect.map(currentTime, (now) => {
          const text = composeText(subject, now)
          const { org, payment, record } = subject
          return text && {
            about,
            aboutId: payment.id,
            subject: `${text.subject}: booking ${record.booking.reference}`,
            text: [text.lead, formatGuestLines(org, { record }), ...text.rest].join("\n\n"),
            url: `${staffUrl}/dashboard/bookings/${record.booking.id}`,
            urlLabel: "Open the booking"
          }
        }))
    return {
      "mail.dispute": yield* makeHandler("dispute", formatDisputeNotification),
      "mail.mismatch": yield* makeHandler("mismatch", formatPaymentMismatchNotification),
      "mail.refund": yield* makeHandler("refund", formatFailedRefundNotification)
    }
  })

/** Returns a provider's name for use within a sentence. Host applications and custom adapters have no display name. */
const formatProvider = (provider: string): string => provider === "stripe" ? "Stripe" : "your payment provider"

export const formatDisputeNotification = (
  { payment, record: { booking } }: PaymentSubject,
  now: Instant.Instant
): NoticeText | undefined => {
  if (payment.status !== "paid" || payment.dispute === null) return undefined
  const total = formatAmount(payment.cents, payment.currency)
  switch (payment.dispute.status) {
    case "open":
      return {
        subject: "Payment disputed",
        lead: `The guest's bank disputed the payment of ${total}.`,
        rest: [
          `Respond at ${formatProvider(payment.provider)} with evidence that the guest booked the trip` +
          (booking.status === "confirmed" && booking.endsAt <= now ? " and that the trip took place. " : ". ") +
          "The bank withholds the money until it decides. If you do not respond, the guest gets the money. " +
          "Canceling the booking does not refund a disputed payment."
        ]
      }
    case "won":
      return {
        subject: "Dispute won",
        lead: `The bank decided the dispute over ${total} in your favor. You keep the money.`,
        rest: booking.status === "cancelled" && booking.refund === null
          ? [
            "The booking was canceled during the dispute, so no refund was issued. If you owe the guest a refund, " +
            `issue it at ${formatProvider(payment.provider)}.`
          ]
          : []
      }
    case "lost":
      return {
        subject: "Dispute lost",
        lead: `The bank decided the dispute in the guest's favor. The guest gets ${total} back.`,
        rest: ["No further refund will be issued. The booking has not changed."]
      }
  }
}

export const formatPaymentMismatchNotification = ({ payment }: PaymentSubject): NoticeText | undefined => {
  const { cents, currency, mismatch, provider } = payment
  if (mismatch === null) return undefined
  const requestedAmount = formatAmount(cents, currency)
  const paidAmount = mismatch.cents === null || mismatch.currency === null
    ? "An unknown amount"
    : formatAmount(mismatch.cents, mismatch.currency.toLowerCase())
  return {
    subject: "Payment mismatch",
    lead: paidAmount === requestedAmount
      ? `${paidAmount} was paid through a checkout that was created for another payment.`
      : `${paidAmount} was paid, but ${requestedAmount} was requested.`,
    rest: [
      `The payment ID at ${formatProvider(provider)} is ${mismatch.intent}. The payment did not confirm the booking ` +
      `and was not refunded. Check the payment at ${
        formatProvider(provider)
      }. Then refund it there, or confirm the booking in the dashboard.`
    ]
  }
}

export const formatFailedRefundNotification = ({ payment }: PaymentSubject): NoticeText | undefined => {
  if (payment.status !== "paid") return undefined
  const provider = formatProvider(payment.provider)
  const capitalizedProvider = provider.replace(/^y/, "Y")
  const formatRefund = ({ cents }: Refund) => formatAmount(cents, payment.currency)
  const refusedRefund = payment.refunds.findLast(({ status }) => status === "refused")
  if (refusedRefund !== undefined) {
    return {
      subject: "Refund refused",
      lead: `${capitalizedProvider} refused the ${formatRefund(refusedRefund)} refund: ${
        ensureFinalPeriod(refusedRefund.error ?? "")
      }`,
      rest: [
        "The guest has not received the money. The refund will be retried automatically. Most refusals are caused by " +
        `a low account balance. Add funds at ${provider}, or refund the payment there.`
      ]
    }
  }
  // A refused refund may have succeeded in the meantime.
  const failedRefund = payment.refunds.findLast(({ status }) => status === "failed")
  if (failedRefund === undefined) return undefined
  return {
    subject: "Refund failed",
    lead: `The ${formatRefund(failedRefund)} refund failed after ${provider} sent it: ${
      ensureFinalPeriod(failedRefund.error ?? "")
    }`,
    rest: [
      failedRefund.reason === "request" || failedRefund.reason === "provider"
        ? "The guest has not received the money, so the amount counts as paid again. If you still owe it, refund it " +
          "again."
        : "The guest has not received the money. The refund will be retried automatically."
    ]
  }
}
