import { type PriceTerms, quote, type RequestedItems, selectItems } from "@trailbook/core/pricing"
import { adjustments, discount, orgFees, pricing } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { priceOracle } from "./priceOracle.ts"

export const terms: FastCheck.Arbitrary<PriceTerms> = FastCheck.record({
  kind: FastCheck.constantFrom("class", "appointment", "rental"),
  price_cents: FastCheck.nat(50_000),
  pricing: FastCheck.option(pricing, { freq: 5 }),
  fees: orgFees([]),
  discount: FastCheck.option(discount)
})

/** Generates functions that pick a request for a booking's terms. Most requests are valid. */
export const wishFor: FastCheck.Arbitrary<(of: PriceTerms) => RequestedItems> = FastCheck.record({
  byQuantity: FastCheck.boolean(),
  quantity: FastCheck.integer({ min: 1, max: 12 }),
  rates: FastCheck.array(FastCheck.integer({ min: 0, max: 6 }), { minLength: 4, maxLength: 4 }),
  extras: FastCheck.array(FastCheck.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 })
}).map(({ byQuantity, extras, quantity, rates }) => ({ pricing }) => {
  if (pricing === null) return { quantity }
  const requestedExtras = (pricing.extras ?? []).flatMap(({ id }, at) => {
    const n = extras[at] ?? 0
    return n === 0 ? [] : [{ extra_id: id, quantity: n }]
  })
  if (byQuantity) return { quantity: quantity * (pricing.rates[0]?.places ?? 1), extras: requestedExtras }
  const party = pricing.rates.flatMap(({ id }, at) => {
    const n = rates[at] ?? 0
    return n === 0 ? [] : [{ rate_id: id, quantity: n }]
  })
  return { party, extras: requestedExtras }
})

/** Compares every amount in a quote with the oracle. Invalid requests and totals below 0 are not counted. */
export const quoteEqualsOracle = (numRuns: number): void => {
  let quoteCount = 0
  FastCheck.assert(
    FastCheck.property(
      terms,
      wishFor,
      FastCheck.integer({ min: 1, max: 30 }),
      adjustments,
      FastCheck.option(FastCheck.nat(300)),
      (of, wishOf, periods, adjustments, onlineHoursAhead) => {
        const selectResult = selectItems(of, wishOf(of))
        FastCheck.pre(Either.isRight(selectResult))
        if (Either.isLeft(selectResult)) return
        const facts = { periods, adjustments, onlineHoursAhead }
        const expected = priceOracle(of, selectResult.right, facts)
        const quoteResult = quote(of, selectResult.right, facts)
        assert.strictEqual(Either.isRight(quoteResult), expected.total >= 0n)
        if (Either.isLeft(quoteResult)) return
        quoteCount++
        const { lines, ...sums } = quoteResult.right
        const ofKind = (...kinds: ReadonlyArray<string>) => lines.filter(({ kind }) => kinds.includes(kind))
        const big = (amounts: ReadonlyArray<number>) => amounts.map(BigInt)
        const items = ofKind("rate", "extra")
        assert.deepStrictEqual(big(items.map(({ total_cents }) => total_cents)), expected.amounts)
        assert.deepStrictEqual(big(items.map(({ discount_cents }) => discount_cents)), expected.shares)
        assert.deepStrictEqual(big(ofKind("fee").map(({ total_cents }) => total_cents)), expected.fees)
        assert.deepStrictEqual(sums, {
          subtotal_cents: Number(expected.subtotal),
          discount_cents: Number(expected.discount),
          fees_cents: Number(expected.added),
          included_fees_cents: Number(expected.included),
          tax_cents: Number(expected.tax),
          adjustments_cents: adjustments.reduce((sum, { cents }) => sum + cents, 0),
          total_cents: Number(expected.total),
          due_now_cents: Number(expected.dueNow)
        })
        const addedLines = lines.filter(({ included }) => !included)
        assert.strictEqual(addedLines.reduce((sum, { total_cents }) => sum + total_cents, 0), sums.total_cents)
        for (const { quantity, total_cents, unit_cents } of lines) {
          assert.strictEqual(unit_cents * quantity, total_cents)
        }
        for (const { discount_cents, total_cents } of items) {
          assert.isAtLeast(discount_cents, 0)
          assert.isAtMost(discount_cents, total_cents)
        }
        assert.isTrue(Number.isSafeInteger(sums.total_cents))
      }
    ),
    { numRuns }
  )
  assert.isAbove(quoteCount, numRuns / 2)
}
