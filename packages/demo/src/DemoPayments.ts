import { Payments, PaymentsFailed } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * The payment provider used while the demo data is created. It never opens a checkout, because seeding directly marks
 * some bookings as paid. If a user cancels such a booking, the refund succeeds even though no money was ever paid.
 * Later bookings are paid through the test payment provider.
 */
export const layer = Layer.succeed(
  Payments,
  Payments.of({
    connected: () => Effect.succeed(null),
    checkout: () => none,
    getCheckout: () => none,
    close: () => none,
    refund: ({ bookingId, id }) =>
      Effect.logInfo("Simulated a refund for a demo payment").pipe(
        Effect.annotateLogs({ booking: bookingId }),
        Effect.as({ id: `demo_no_money_${id}`, status: "done" as const, reason: "" })
      ),
    refunds: () => Effect.succeed([]),
    since: () => Effect.succeed([])
  })
)

const none = Effect.fail(new PaymentsFailed({ message: "The demo does not accept real payments." }))

/** Returns the payment ID of a seeded payment. The name makes it clear that no money was paid. */
export const toDemoPaymentId = (reference: string): string => `demo_no_money_${reference}`
