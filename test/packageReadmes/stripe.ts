import { PaymentProvider } from "@trailbook/core/payment/PaymentProvider"
import { StripeProvider } from "@trailbook/stripe"
import * as Effect from "effect/Effect"

/** Whose key it is, and whether it takes real money. */
export const account = (key: string) =>
  Effect.flatMap(PaymentProvider, ({ account }) => account({ key, noticeSecret: null, account: null })).pipe(
    Effect.provide(StripeProvider.layer())
  )
