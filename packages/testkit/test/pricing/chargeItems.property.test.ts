import { type ChargeItem, type PriceLine, quote, selectItems, toChargeItems } from "@trailbook/core/pricing"
import { adjustments } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { terms, wishFor } from "./quoteProperty.ts"

const sumOf = (items: ReadonlyArray<ChargeItem>) =>
  items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)

const quotes = FastCheck.record({
  of: terms,
  wishOf: wishFor,
  adjustments,
  periods: FastCheck.integer({ min: 1, max: 9 })
})
  .map(({ of, wishOf, ...facts }) =>
    Either.flatMap(
      selectItems(of, wishOf(of)),
      (selection) => quote(of, selection, { ...facts, onlineHoursAhead: null })
    )
  )
  .filter((price) => Either.isRight(price))
  .map(Either.getOrThrow)

const line = (overrides: Partial<PriceLine>): PriceLine => ({
  kind: "rate",
  id: "adult",
  name: "Adult",
  quantity: 2,
  unit_cents: 9500,
  total_cents: 19_000,
  discount_cents: 0,
  tax: false,
  included: false,
  ...overrides
})

const items = (lines: ReadonlyArray<PriceLine>, cents: number) =>
  toChargeItems(lines, { cents, currency: "usd", description: "Raft trip" })

describe("chargeItems", () => {
  it("returns positive items that sum to the charge", () => {
    let multiItemRuns = 0
    FastCheck.assert(
      FastCheck.property(quotes, ({ lines, total_cents }) => {
        FastCheck.pre(total_cents > 0)
        const all = items(lines, total_cents)
        assert.strictEqual(sumOf(all), total_cents)
        assert.isTrue(all.every(({ cents, quantity }) => cents > 0 && quantity > 0))
        // Stripe accepts at most 100 items.
        assert.isAtMost(all.length, 100)
        multiItemRuns += all.length > 1 ? 1 : 0
      }),
      { numRuns: runs(1000, 200) }
    )
    assert.isAtLeast(multiItemRuns, 20)
  })

  it("returns a single item for a partial charge, such as a deposit", () => {
    FastCheck.assert(
      FastCheck.property(quotes, FastCheck.integer({ min: 1, max: 1_000_000 }), ({ lines, total_cents }, cents) => {
        FastCheck.pre(cents !== total_cents)
        assert.deepInclude(items(lines, cents), { ...items(lines, cents)[0], name: "Raft trip", quantity: 1, cents })
        assert.strictEqual(items(lines, cents).length, 1)
      }),
      { numRuns: runs(300, 50) }
    )
    assert.strictEqual(items([line({})], 5000)[0]?.details, "2 × Adult: $190.00")
  })

  it("subtracts discounts and negative adjustments from the items", () => {
    const discounted = [
      line({ discount_cents: 1900 }),
      line({ kind: "extra", id: "wetsuit", name: "Wetsuit", quantity: 1, total_cents: 1500, discount_cents: 151 }),
      line({ kind: "discount", id: "d", name: "SPRING", quantity: 1, total_cents: -2051 }),
      line({ kind: "fee", id: "vat", name: "VAT", quantity: 1, total_cents: 3000, included: true })
    ]
    assert.deepStrictEqual(items(discounted, 18_449), [
      { name: "Adult", quantity: 2, cents: 8550, details: "" },
      { name: "Wetsuit", quantity: 1, cents: 1349, details: "" }
    ])
    const goodwill = line({ kind: "adjustment", id: "1", name: "Goodwill", quantity: 1, total_cents: -1001 })
    assert.deepStrictEqual(items([line({}), goodwill], 17_999), [
      { name: "2 × Adult", quantity: 1, cents: 17_999, details: "" }
    ])
  })
})
