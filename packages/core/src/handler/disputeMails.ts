import * as Effect from "effect/Effect"
import { amount } from "../mail/amount.ts"
import { notices } from "./notices.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Tells the staff that a guest's bank wants a payment back. Providers leave
 * days to answer that, and take the money from who does not.
 *
 * @category handlers
 */
export const disputeMails = Effect.flatMap(
  paymentSubjects,
  (read) =>
    notices(read, ({ payment, record: { booking } }) =>
      Effect.succeed({
        about: "dispute",
        aboutId: payment.id,
        subject: `A payment is disputed: booking ${booking.reference}`,
        text: `The guest's bank wants ${amount(payment.cents, payment.currency)} back that was paid for booking ` +
          `${booking.reference}.\n\nAnswer it where you take payments (${payment.provider}), with what shows that ` +
          "the booking was made and kept. Until then the money is held back, and who does not answer in time loses it."
      }))
)
