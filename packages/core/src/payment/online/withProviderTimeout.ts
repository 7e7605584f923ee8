import * as Effect from "effect/Effect"
import { PaymentsFailed } from "../PaymentsFailed.ts"

/** A provider's own library gives up after 15 seconds; this is for code that never does. */
const patience = "20 seconds"

/**
 * A call to a provider, which is other people's code: who does not answer is not
 * waited for, even where the call cannot be ended.
 */
export const withProviderTimeout = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentsFailed> =>
  Effect.timeoutFail(Effect.disconnect(call), {
    duration: patience,
    onTimeout: () => new PaymentsFailed({ message: "The payment provider did not answer." })
  })
