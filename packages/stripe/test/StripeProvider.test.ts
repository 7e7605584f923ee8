import { it } from "@effect/vitest"
import { PaymentProvider } from "@trailbook/core/payment"
import { StripeProvider } from "@trailbook/stripe"
import { FakeBank } from "@trailbook/testkit/provider/FakeBank"
import { providerLaws } from "@trailbook/testkit/provider/providerLaws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { access } from "../../../test/payments/TestProvider.ts"
import { fakeStripe } from "./FakeStripe.ts"

/** Creates the adapter with Stripe's library, connected to a local fake of Stripe. */
const providerOf = ({ port }: { readonly port: number }) =>
  StripeProvider.make({ host: "127.0.0.1", port, protocol: "http", timeoutMs: 1000 })

const stripe = Effect.map(
  fakeStripe,
  (fake) => Context.make(FakeBank, fake.bank).pipe(Context.add(PaymentProvider, providerOf(fake)))
)

describe("the Stripe provider", () => {
  for (const { check, key, title } of providerLaws) {
    it.scopedLive(`${key}: ${title}`, () => Effect.flatMap(stripe, (context) => Effect.provide(check, context)))
  }

  it.scopedLive("adds only the missing events to a webhook endpoint", () =>
    Effect.gen(function*() {
      const fake = yield* fakeStripe
      const { rewatch, watch } = providerOf(fake)
      const { id } = yield* watch(access, "https://river.example/pay/stripe/1")
      const all = fake.endpoints.get(id)
      fake.endpoints.set(id, ["checkout.session.completed"])
      yield* rewatch(access, id)
      assert.deepStrictEqual(fake.endpoints.get(id), all)
      for (const complete of [["*"], [...all ?? [], "charge.updated"]]) {
        fake.endpoints.set(id, complete)
        yield* rewatch(access, id)
        assert.strictEqual(fake.endpoints.get(id), complete)
      }
      assert.strictEqual((yield* Effect.flip(rewatch(access, "we_deleted"))).reason, "refused")
    }))
})
