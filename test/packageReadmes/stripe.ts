import { PaymentProvider } from "@trailbook/core/payment"
import { StripeProvider } from "@trailbook/stripe"
import * as Effect from "effect/Effect"

/** Reads the account of a key, and whether the key is live. */
export const account = (key: string) =>
  Effect.flatMap(PaymentProvider, ({ account }) => account({ key, noticeSecret: null, account: null })).pipe(
    Effect.provide(StripeProvider.layer())
  )
