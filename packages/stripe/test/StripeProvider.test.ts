import { it } from "@effect/vitest"
import { PaymentProvider } from "@trailbook/core/payment/PaymentProvider"
import { StripeProvider } from "@trailbook/stripe"
import { FakeBank } from "@trailbook/testkit/provider/FakeBank"
import { providerLaws } from "@trailbook/testkit/provider/providerLaws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { fakeStripe } from "./FakeStripe.ts"

/** The adapter with the official library, connected to a local fake of Stripe. */
const stripe = Effect.map(fakeStripe, ({ bank, port }) =>
  Context.make(FakeBank, bank).pipe(
    Context.add(PaymentProvider, StripeProvider.make({ host: "127.0.0.1", port, protocol: "http", timeoutMs: 1000 }))
  ))

describe("Stripe", () => {
  for (const { check, key, title } of providerLaws) {
    it.scopedLive(`${key}: ${title}`, () => Effect.flatMap(stripe, (context) => Effect.provide(check, context)))
  }
})
