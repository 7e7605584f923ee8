/** Tests the return URLs and items in a Stripe checkout. */
import type { CheckoutRequest } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { buildCheckoutParameters } from "@trailbook/stripe/buildCheckoutParameters"
import { toStripeUnits } from "@trailbook/stripe/toStripeUnits"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"

const page = "https://river.example/b/handle"

const request: CheckoutRequest = {
  id: "payment-1",
  orgId: "org-1",
  bookingId: "booking-1",
  attempt: 1,
  provider: "stripe",
  connection: "connection-1",
  cents: 17_000,
  currency: "usd",
  description: "Half-day raft",
  items: [{ name: "Half-day raft", quantity: 1, cents: 17_000, details: "" }],
  madeAt: Instant.make(0),
  expiresAt: Instant.make(0),
  email: null,
  returnUrl: page,
  paidUrl: `${page}/paid`
}

it("the checkout redirects guests to different pages after payment and cancellation", () => {
  const { cancel_url: unpaid, success_url: paid } = buildCheckoutParameters(request, 17_000)
  assert.deepStrictEqual({ paid, unpaid }, { paid: `${page}/paid`, unpaid: page })
})

it("the checkout lists items that sum to the charge in every currency", () => {
  const items = FastCheck.array(
    FastCheck.record({
      name: FastCheck.constantFrom("Adult", "2 × Wetsuit"),
      quantity: FastCheck.integer({ min: 1, max: 12 }),
      cents: FastCheck.integer({ min: 1, max: 50_000 }),
      details: FastCheck.constantFrom("", "2 × Adult: $190.00")
    }),
    { minLength: 1, maxLength: 5 }
  )
  FastCheck.assert(
    FastCheck.property(items, FastCheck.constantFrom("usd", "jpy", "isk", "mga", "kwd"), (items, currency) => {
      const cents = items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
      const charge = toStripeUnits(cents, currency)
      FastCheck.pre(Either.isRight(charge))
      const amount = Either.getOrThrow(charge)
      const { line_items = [] } = buildCheckoutParameters({ ...request, cents, currency, items }, amount)
      const sum = line_items.reduce(
        (sum, { price_data, quantity = 0 }) => sum + (price_data?.unit_amount ?? 0) * quantity,
        0
      )
      assert.strictEqual(sum, amount)
      assert.isTrue(line_items.every(({ price_data }) => price_data?.product_data?.description !== ""))
    })
  )
})
