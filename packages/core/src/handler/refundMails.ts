import * as Effect from "effect/Effect"
import { formatAmount } from "../money/formatAmount.ts"
import { withFullStop } from "../org/withFullStop.ts"
import { paymentSubjects } from "./paymentSubjects.ts"
import { makeStaffNoticeHandler } from "./staffNotices.ts"

/** Notifies the staff that the provider refused a refund. */
export const refundMails = Effect.flatMap(
  paymentSubjects,
  (read) =>
    makeStaffNoticeHandler(read, ({ payment, record: { booking } }) => {
      // The refund has succeeded in the meantime.
      if (payment.status !== "paid" || payment.refund?.status !== "refused") return Effect.succeed(undefined)
      return Effect.succeed({
        about: "refund",
        aboutId: payment.id,
        subject: `Refund refused: booking ${booking.reference}`,
        text:
          `${payment.provider} refused the refund of ${formatAmount(payment.cents, payment.currency)} for booking ` +
          `${booking.reference}: ${
            withFullStop(payment.refund.error)
          }\n\nThe guest has not received the money. Trailbook ` +
          "retries the refund automatically. Most refusals are caused by a low account balance: add funds at the " +
          "provider, or refund the payment there."
      })
    })
)
