import { type BookingRecord, bookingView } from "@trailbook/core/booking/BookingView"
import { Payments, PaymentsFailed } from "@trailbook/core/booking/Payments"
import type { Org } from "@trailbook/core/org/Org"
import { orgView } from "@trailbook/core/org/OrgView"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostFailure } from "./hostFailure.ts"
import type * as Host from "./Payments.ts"

/**
 * @category layers
 */
export const paymentsOf = (payments: Host.Payments | undefined): Layer.Layer<Payments> => {
  if (payments === undefined) return Payments.layerNone
  const ask =
    <A>(call: (booking: ReturnType<typeof bookingView>, org: ReturnType<typeof orgView>) => Promise<A>) =>
    (record: BookingRecord, org: Org) =>
      Effect.tryPromise({
        try: async () => call(bookingView(record), orgView(org)),
        catch: (error) => new PaymentsFailed({ message: hostFailure("payments", error) })
      })
  const refund = ask((booking, org) => payments.refund(booking, org))
  return Layer.succeed(
    Payments,
    Payments.of({
      // What throws here breaks the booking that asked, and is told to whoever made it.
      connected: (orgId) => Effect.promise(async () => payments.connected?.(orgId) ?? true),
      checkout: ask((booking, org) => payments.checkout(booking, org)),
      refund: (record, org) => Effect.asVoid(refund(record, org))
    })
  )
}
