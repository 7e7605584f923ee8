import { Payments, PaymentsFailed } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * The payment provider that is used while the demo data is created. It opens no checkouts, because seeding marks some
 * bookings as paid directly. If a user cancels such a booking, the refund succeeds although no money exists. Later
 * bookings are paid through the test payment provider.
 */
export const layer = Layer.succeed(
  Payments,
  Payments.of({
    connected: () => Effect.succeed(null),
    checkout: () => none,
    look: () => none,
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

/** Returns the payment ID of a seeded payment. Its name states that no money was paid. */
export const demoPaymentId = (reference: string): string => `demo_no_money_${reference}`
