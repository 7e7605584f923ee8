import * as Effect from "effect/Effect"
import { formatAmount } from "../money/formatAmount.ts"
import type { Dispute } from "../payment/Payment.ts"
import { paymentSubjects } from "./paymentSubjects.ts"
import { makeStaffNoticeHandler } from "./staffNotices.ts"

/** Notifies the staff that a guest's bank disputes a payment, and of the bank's decision. */
export const disputeMails = Effect.flatMap(
  paymentSubjects,
  (read) =>
    makeStaffNoticeHandler(read, ({ payment, record: { booking } }) => {
      if (payment.status !== "paid" || payment.dispute === null) return Effect.succeed(undefined)
      const { subject, text } = words[payment.dispute.status]({
        total: formatAmount(payment.cents, payment.currency),
        reference: booking.reference,
        provider: payment.provider,
        isUnrefunded: booking.status === "cancelled" && booking.refund === null
      })
      return Effect.succeed({ about: "dispute", aboutId: payment.id, subject, text })
    })
)

interface Facts {
  readonly total: string
  readonly reference: string
  readonly provider: string
  /** Whether the booking was canceled without a refund, because of the dispute. */
  readonly isUnrefunded: boolean
}

const words: { readonly [Status in Dispute["status"]]: (facts: Facts) => { subject: string; text: string } } = {
  open: ({ provider, reference, total }) => ({
    subject: `Payment disputed: booking ${reference}`,
    text:
      `The guest's bank disputes the payment of ${total} for booking ${reference}.\n\nRespond at ${provider} with ` +
      "evidence that the trip was booked and took place. The bank withholds the money until it decides. Without a " +
      "response, the guest gets the money. Canceling the booking does not refund a disputed payment."
  }),
  won: ({ isUnrefunded, reference, total }) => ({
    subject: `Dispute won: booking ${reference}`,
    text: `The bank decided the dispute over ${total} for booking ${reference} in your favor. You keep the money.` +
      (isUnrefunded
        ? "\n\nThe booking was canceled during the dispute, so it was not refunded. If you owe the guest a refund, issue " +
          "it at the payment provider."
        : "")
  }),
  lost: ({ reference, total }) => ({
    subject: `Dispute lost: booking ${reference}`,
    text:
      `The bank decided the dispute for booking ${reference} in the guest's favor. The guest gets ${total} back, and ` +
      "there is no further refund. The booking has not changed."
  })
}
