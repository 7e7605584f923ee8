import { Payments, PaymentsFailed } from "@trailbook/core/payment/online/Payments"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * What stands for a payment provider in the demo's story, where nobody is sent to a
 * checkout. But some of its bookings are paid, as if by one, and whoever cancels such
 * a booking sees the refund go through, in as much as there is one. What is booked
 * later is paid at the test till.
 */
export const layer = Layer.succeed(
  Payments,
  Payments.of({
    connected: () => Effect.succeed(null),
    checkout: () => none,
    look: () => none,
    close: () => none,
    refund: ({ bookingId, id }) =>
      Effect.logInfo("The demo pretends to refund a payment that was never made.").pipe(
        Effect.annotateLogs({ booking: bookingId }),
        Effect.as({ id: `demo_no_money_${id}`, status: "done" as const, reason: "" })
      ),
    refunds: () => Effect.succeed([]),
    since: () => Effect.succeed([])
  })
)

const none = Effect.fail(new PaymentsFailed({ message: "The demo takes no money." }))

/** What the story's payments are called, so that nobody takes one for money. */
export const demoPaymentId = (reference: string): string => `demo_no_money_${reference}`
