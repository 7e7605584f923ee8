import * as Effect from "effect/Effect"
import { formatAmount } from "../money/Currency.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import type { Refund } from "../payment/Payment.ts"
import type { StaffNotification } from "../staff/Notifier.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import { makeLoadPaymentSubjects, type PaymentSubject } from "./paymentTaskHandlers.ts"
import { formatGuestLines, makeStaffNoticeHandler } from "./staffNoticeHandler.ts"

interface NoticeText {
  readonly subject: string
  readonly lead: string
  readonly rest: ReadonlyArray<string>
}

/** Notifies the staff of disputed payments, payments that do not match their request, and refused refunds. */
export const makePaymentNoticeHandler = ({ staffUrl }: { readonly staffUrl: string }) =>
  Effect.gen(function*() {
    const loadSubjects = yield* makeLoadPaymentSubjects
    const makeHandler = (
      about: StaffNotification["about"],
      composeText: (subject: PaymentSubject, now: Instant) => NoticeText | undefined
    ) =>
      makeStaffNoticeHandler(loadSubjects, (subject) =>
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
      "mail.dispute": yield* makeHandler("dispute", formatDisputeNotice),
      "mail.mismatch": yield* makeHandler("mismatch", formatMismatchNotice),
      "mail.refund": yield* makeHandler("refund", formatRefundNotice)
    }
  })

/** Returns a provider's name for use within a sentence. Host applications and custom adapters have no display name. */
const formatProvider = (provider: string): string => provider === "stripe" ? "Stripe" : "your payment provider"

export const formatDisputeNotice = (
  { payment, record: { booking } }: PaymentSubject,
  now: Instant
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

export const formatMismatchNotice = ({ payment }: PaymentSubject): NoticeText | undefined => {
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

export const formatRefundNotice = ({ payment }: PaymentSubject): NoticeText | undefined => {
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
