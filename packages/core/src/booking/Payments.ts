import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Org } from "../org/Org.ts"
import { PaymentsFailed } from "../payment/PaymentsFailed.ts"
import type { BookingRecord } from "./BookingView.ts"

export { PaymentsFailed }

/**
 * Online payment. Every call may be repeated: the provider does
 * one thing for one booking. Never called inside a unit of work.
 *
 * @category ports
 */
export class Payments extends Context.Tag("@trailbook/core/Payments")<
  Payments,
  {
    /** Whether this org takes money online. Asked where money may be due; who does not answer in 5 seconds loses the order. */
    readonly connected: (orgId: string) => Effect.Effect<boolean>
    /** The address of a hosted checkout for a hold; null when it is to be had later, by the same order made again. */
    readonly checkout: (hold: BookingRecord, org: Org) => Effect.Effect<string | null, PaymentsFailed>
    /** Gives the whole payment of a booking back. */
    readonly refund: (paid: BookingRecord, org: Org) => Effect.Effect<void, PaymentsFailed>
  }
>() {
  /** No provider: bookings confirm without online payment. */
  static readonly layerNone = Layer.succeed(
    Payments,
    Payments.of({
      connected: () => Effect.succeed(false),
      checkout: () => Effect.fail(new PaymentsFailed({ message: "No payment provider is connected." })),
      refund: () => Effect.fail(new PaymentsFailed({ message: "No payment provider is connected." }))
    })
  )
}
