import * as Effect from "effect/Effect"
import { PaymentsFailed } from "../PaymentProvider.ts"

/**
 * The timeout of a provider call. A provider's library usually times out after 15 seconds. This limit covers libraries
 * that have no timeout.
 */
const patience = "20 seconds"

/**
 * Limits the duration of a provider call. The call runs third-party code, so the caller stops waiting even if the call
 * cannot be interrupted.
 */
export const withProviderTimeout = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentsFailed> =>
  Effect.timeoutFail(Effect.disconnect(call), {
    duration: patience,
    onTimeout: () => new PaymentsFailed({ message: "The payment provider did not respond." })
  })
