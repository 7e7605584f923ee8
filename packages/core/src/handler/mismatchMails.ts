import * as Effect from "effect/Effect"
import { formatAmount } from "../money/formatAmount.ts"
import { paymentSubjects } from "./paymentSubjects.ts"
import { makeStaffNoticeHandler } from "./staffNotices.ts"

/** Notifies the staff of a payment that does not match the requested amount or currency. */
export const mismatchMails = Effect.flatMap(
  paymentSubjects,
  (read) =>
    makeStaffNoticeHandler(read, ({ payment, record: { booking } }) => {
      const { cents, currency, mismatch, provider } = payment
      if (mismatch === null) return Effect.succeed(undefined)
      const paid = mismatch.cents === null || mismatch.currency === null
        ? "An unknown amount"
        : formatAmount(mismatch.cents, mismatch.currency)
      return Effect.succeed({
        about: "mismatch",
        aboutId: payment.id,
        subject: `Payment mismatch: booking ${booking.reference}`,
        text:
          `${paid} was paid for booking ${booking.reference}, but ${
            formatAmount(cents, currency)
          } was requested, or the ` +
          `checkout was made for another payment. The payment is ${mismatch.intent} at ${provider}.\n\nThe booking was ` +
          "not confirmed by this payment, and the payment was not refunded. Check the payment at the provider. Then " +
          "refund it there, or confirm the booking in the dashboard."
      })
    })
)
