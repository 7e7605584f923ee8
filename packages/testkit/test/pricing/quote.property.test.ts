import {
  computeChangeTerms,
  type Fee,
  findFeesError,
  findPricingError,
  makePriceTerms,
  type PriceTerms,
  Pricing,
  quote,
  type QuoteOptions,
  type RequestedItems,
  selectItems,
  toStoredTerms
} from "@trailbook/core/pricing"
import { offering, orgFees, pricing } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { assert, describe, expect, it } from "vitest"
import { quoteEqualsOracle, terms, wishFor } from "./quoteProperty.ts"

const facts: QuoteOptions = { periods: 1, adjustments: [], onlineHoursAhead: null }

const plain = (overrides: Partial<PriceTerms> = {}): PriceTerms => ({
  kind: "class",
  price_cents: 9500,
  pricing: null,
  fees: [],
  discount: null,
  ...overrides
})

const trip: Pricing = {
  rates: [
    { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
    { id: "child", name: "Child", price_cents: 7500, places: 1, needs_any_of: ["adult"] },
    { id: "infant", name: "Infant", price_cents: 0, places: 0, max: 2 },
    { id: "private", name: "Private raft", price_cents: 60_000, places: 8 }
  ],
  extras: [
    { id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" },
    { id: "photos", name: "Photos", price_cents: 3500, per: "booking", max: 1 },
    { id: "permit", name: "Permit", price_cents: 500, per: "place", required: true }
  ],
  min_places: 2
}

const price = (of: PriceTerms, wish: RequestedItems, overrides: Partial<QuoteOptions> = {}) =>
  Either.getOrThrow(
    Either.flatMap(selectItems(of, wish), (selection) => quote(of, selection, { ...facts, ...overrides }))
  )

const messageOf = (of: PriceTerms, wish: RequestedItems, isChange = false): string =>
  Either.match(selectItems(of, wish, isChange), { onLeft: ({ message }) => message, onRight: () => "valid" })

describe("quote", () => {
  it("matches an independent implementation for any input", () => {
    quoteEqualsOracle(300)
  })

  it("multiplies the price by the units if there are no rates or fees", () => {
    FastCheck.assert(
      FastCheck.property(
        offering,
        FastCheck.integer({ min: 1, max: 10_000 }),
        FastCheck.integer({ min: 1, max: 60 }),
        (of, quantity, periods) => {
          const { total_cents } = price(makePriceTerms({ ...of, pricing: null }, []), { quantity }, { periods })
          const units = { class: quantity, appointment: 1, rental: quantity * periods }
          assert.strictEqual(BigInt(total_cents), BigInt(of.priceCents) * BigInt(units[of.kind]))
        }
      ),
      { numRuns: 300 }
    )
  })

  it("applies a compound percentage only to the added fees that precede it", () => {
    const fees: ReadonlyArray<Fee> = [
      { id: "booking", name: "Booking fee", cents: 1000, per: "booking" },
      { id: "tax", name: "Tax", percent_bps: 1000, per: "order_value", tax: true, compound: true },
      { id: "park", name: "Park fee", cents: 500, per: "place" }
    ]
    const result = price(plain({ fees }), { quantity: 2 })
    assert.deepStrictEqual(result.lines.slice(1).map(({ total_cents }) => total_cents), [1000, 2000, 1000])
    expect(result).toMatchObject({ subtotal_cents: 19_000, fees_cents: 4000, tax_cents: 2000, total_cents: 23_000 })
  })

  it("extracts all included percentage fees from the price", () => {
    const fees: ReadonlyArray<Fee> = [
      { id: "state", name: "State", percent_bps: 1900, per: "order_value", tax: true, included: true },
      { id: "city", name: "City", percent_bps: 100, per: "order_value", included: true }
    ]
    const result = price(plain({ price_cents: 12_000, fees }), { quantity: 1 })
    expect(result).toMatchObject({ included_fees_cents: 2000, tax_cents: 1900, fees_cents: 0, total_cents: 12_000 })
  })

  it("assigns a discount's leftover cents to the lines with the largest remainders", () => {
    const of = plain({
      pricing: { rates: ["a", "b", "c"].map((id) => ({ id, name: id, price_cents: 100, places: 1 })) },
      discount: { id: "d", code: "D", cents: 100 }
    })
    const party = ["a", "b", "c"].map((rate_id) => ({ rate_id, quantity: 1 }))
    assert.deepStrictEqual(price(of, { party }).lines.map(({ discount_cents }) => discount_cents), [34, 33, 33, 0])
  })

  it("charges the deposit until the balance is due, then the total", () => {
    const of = plain({ pricing: { ...trip, deposit: { percent_bps: 2500, balance_due_hours: 168 } } })
    const due = (onlineHoursAhead: number | null) => price(of, { quantity: 2 }, { onlineHoursAhead }).due_now_cents
    assert.deepStrictEqual([due(null), due(167.9), due(168), due(500)], [0, 20_000, 5000, 5000])
  })

  it("rejects a negative total and amounts over the limit", () => {
    const fees: ReadonlyArray<Fee> = [{ id: "f", name: "F", percent_bps: 10_000, per: "order_value" }]
    const rejects = (of: PriceTerms, quantity: number, overrides: Partial<QuoteOptions> = {}) =>
      Either.isLeft(
        Either.flatMap(selectItems(of, { quantity }), (selection) => quote(of, selection, { ...facts, ...overrides }))
      )
    const dear = plain({ price_cents: 10_000_000_000, fees })
    assert.isFalse(rejects(dear, 4))
    assert.isTrue(rejects(dear, 5))
    assert.isTrue(rejects({ ...dear, fees: [{ id: "f", name: "F", cents: 0, per: "place" }] }, 10))
    assert.isTrue(rejects(plain(), 1, { adjustments: [{ name: "Goodwill", cents: -9501 }] }))
    assert.isFalse(rejects(plain(), 1, { adjustments: [{ name: "Goodwill", cents: -9500 }] }))
  })
})

describe("select", () => {
  const of = plain({ pricing: trip })
  const party = (...rates: ReadonlyArray<readonly [string, number]>): RequestedItems => ({
    party: rates.map(([rate_id, quantity]) => ({ rate_id, quantity }))
  })
  const extra = (extra_id: string, quantity: number): RequestedItems => ({
    quantity: 2,
    extras: [{ extra_id, quantity }]
  })

  it.each<[string, RequestedItems]>([
    ["valid", party(["adult", 1], ["child", 1], ["infant", 2])],
    ["valid", party(["private", 1])],
    ["party.0.rate_id: requires one of these rates: adult", party(["child", 2])],
    ["party.1.quantity: must be at most 2", party(["adult", 2], ["infant", 3])],
    ["party.1.rate_id: must not repeat", party(["adult", 1], ["adult", 1])],
    ["party.0.rate_id: must be one of adult, child, infant, private", party(["senior", 2])],
    ["party: must take at least 2 spots", party(["adult", 1])],
    ["party: must take at least 2 spots", party()],
    ["quantity: must be 2 to match the party, or omitted", { ...party(["adult", 2]), quantity: 3 }],
    ["valid", extra("wetsuit", 2)],
    ["extras.0.quantity: must be at most 2", extra("wetsuit", 3)],
    ["extras.0.quantity: must be at most 1", extra("photos", 2)],
    ["extras.0.extra_id: is not an extra of this offering", extra("paddle", 1)]
  ])("returns the message: %s", (expected, wish) => {
    assert.strictEqual(messageOf(of, wish), expected)
  })

  it("books the quantity at the first rate if no party is given", () => {
    const rafts = plain({ pricing: { rates: [{ id: "raft", name: "Raft", price_cents: 60_000, places: 8, max: 2 }] } })
    assert.strictEqual(price(rafts, { quantity: 16 }).total_cents, 120_000)
    assert.strictEqual(messageOf(rafts, { quantity: 12 }), "quantity: must be a multiple of 8, unless party is set")
    assert.strictEqual(messageOf(rafts, { quantity: 24 }), "quantity: must be at most 16, unless party is set")
  })

  it("adds required extras", () => {
    const { lines } = price(of, party(["adult", 2]))
    assert.deepStrictEqual(lines.map(({ id, quantity }) => [id, quantity]), [["adult", 2], ["permit", 2]])
  })

  it("does not apply min_places to changes", () => {
    assert.strictEqual(messageOf(of, party(["adult", 1]), true), "valid")
    assert.strictEqual(messageOf(of, party(["infant", 1]), true), "party: must take at least 1 spot")
  })

  it("rejects rates and extras for an offering without pricing", () => {
    assert.include(messageOf(plain(), party(["adult", 1])), "party:")
    assert.include(messageOf(plain(), extra("wetsuit", 1)), "extras:")
  })

  it("stays within the offering's limits for any request", () => {
    FastCheck.assert(FastCheck.property(terms, wishFor, (of, wishOf) => {
      const wish = wishOf(of)
      const selectResult = selectItems(of, wish)
      if (Either.isLeft(selectResult) || of.pricing === null) return
      const { extras, places, rates } = selectResult.right
      assert.isAtLeast(places, of.pricing.min_places ?? 1)
      for (const { quantity, rate } of rates) assert.isAtMost(quantity, rate.max ?? Infinity)
      for (const { extra, quantity } of extras) {
        assert.isAtMost(quantity, Math.min(extra.max ?? Infinity, extra.per === "place" ? places : 100))
      }
      const extraIds = new Set(extras.map(({ extra }) => extra.id))
      const required = (of.pricing.extras ?? []).filter((one) => one.required === true)
      assert.isTrue(required.every(({ id }) => extraIds.has(id)))
    }))
  })
})

describe("termsOfChange", () => {
  it("retains an unchanged booking's price, even if today's prices differ", () => {
    FastCheck.assert(FastCheck.property(terms, wishFor, FastCheck.option(pricing), (of, wishOf, today) => {
      const wish = wishOf(of)
      const selectResult = selectItems(of, wish)
      if (Either.isLeft(selectResult) || of.pricing === null) return
      const newTerms = computeChangeTerms(toStoredTerms(of, selectResult.right), today)
      const again = Either.getOrThrow(selectItems(newTerms, wish, true))
      assert.deepStrictEqual(again, selectResult.right)
      assert.deepStrictEqual(quote(newTerms, again, facts), quote(of, selectResult.right, facts))
    }))
  })

  it("charges today's price for a rate that is new to the booking", () => {
    const of = plain({ pricing: trip })
    const selection = Either.getOrThrow(selectItems(of, { quantity: 2 }))
    const today: Pricing = { rates: trip.rates.map((rate) => ({ ...rate, price_cents: rate.price_cents + 1000 })) }
    const party = [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }]
    assert.strictEqual(price(computeChangeTerms(toStoredTerms(of, selection), today), { party }).subtotal_cents, 29_000)
  })

  it("changes the quantity of a booking with one rate", () => {
    const of = plain({ pricing: trip })
    const selection = Either.getOrThrow(selectItems(of, { party: [{ rate_id: "private", quantity: 1 }] }))
    const newTerms = computeChangeTerms(toStoredTerms(of, selection), undefined)
    assert.strictEqual(price(newTerms, { quantity: 16 }).lines[0]?.total_cents, 120_000)
  })
})

describe("wrongPricing", () => {
  const wrong = (overrides: Partial<Pricing>) => findPricingError({ ...trip, ...overrides })

  it("accepts all generated pricing, and the schema decodes it unchanged", () => {
    FastCheck.assert(FastCheck.property(pricing, (input) => {
      assert.isUndefined(findPricingError(input))
      assert.deepStrictEqual(Schema.decodeUnknownSync(Pricing)(input), input)
    }))
  })

  it("names the invalid field and its bound", () => {
    const rate = { id: "adult", name: "Adult", price_cents: 1, places: 1 }
    expect(wrong({ rates: [rate, rate] })).toContain("pricing.rates.1.id")
    expect(wrong({ rates: [{ ...rate, places: 0 }] })).toContain("pricing.rates.0.places")
    expect(wrong({ rates: [rate, { ...rate, id: "b", needs_any_of: ["b"] }] })).toContain(
      "pricing.rates.1.needs_any_of"
    )
    expect(wrong({ rates: [{ ...rate, needs_any_of: ["b"] }, { ...rate, id: "b" }] })).toContain(
      "pricing.rates.0.needs_any_of"
    )
    const extra = { id: "x", name: "X", price_cents: 1, per: "booking" } as const
    expect(wrong({ extras: [{ ...extra, max: 101 }] })).toContain("at most 100")
    expect(wrong({ extras: [{ ...extra, per: "place", required: true, max: 1 }] })).toContain("pricing.extras.0.max")
    expect(wrong({ deposit: { balance_due_hours: 0 } })).toContain("pricing.deposit.cents")
    expect(wrong({ deposit: { cents: 1, balance_due_hours: 0 } })).toContain("pricing.deposit.per")
  })
})

describe("wrongFees", () => {
  it("accepts all generated fees", () => {
    FastCheck.assert(FastCheck.property(orgFees([]), (fees) => {
      assert.isUndefined(findFeesError(fees))
    }))
  })

  it("names the invalid field and its bound", () => {
    const fee: Fee = { id: "f", name: "F", percent_bps: 1, per: "order_value" }
    expect(findFeesError([fee, fee])).toContain("fees.1.id")
    expect(findFeesError([{ ...fee, cents: 1 }])).toContain("fees.0.cents")
    expect(findFeesError([{ ...fee, per: "place" }])).toContain("fees.0.per")
    expect(findFeesError([{ id: "f", name: "F", cents: 1, per: "order_value" }])).toContain("fees.0.per")
    expect(findFeesError([{ ...fee, included: true, on: "rates" }])).toContain("fees.0.on")
    expect(findFeesError([{ ...fee, included: true, compound: true }])).toContain("fees.0.compound")
  })
})
