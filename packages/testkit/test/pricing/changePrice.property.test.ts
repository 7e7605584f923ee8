import type { Booking } from "@trailbook/core/booking"
import { computeChangedPrice, type PriceChange } from "@trailbook/core/booking/price/computeChangedPrice"
import { isPriced, type PriceTerms, quote, selectItems, toBookingPrice } from "@trailbook/core/pricing"
import { adjustments, booking, discount, pricing } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { terms, wishFor } from "./quoteProperty.ts"

interface PricedBooking {
  readonly of: PriceTerms
  readonly booking: Booking
  /** The offering with today's pricing. */
  readonly offering: Parameters<typeof computeChangedPrice>[2]
}

/** A booking on generated terms, and its offering with today's pricing. */
const bookedCase: FastCheck.Arbitrary<PricedBooking> = FastCheck.tuple(
  FastCheck.record({
    booking,
    of: terms,
    wishOf: wishFor,
    today: FastCheck.option(pricing),
    todayCents: FastCheck.nat(50_000),
    periods: FastCheck.integer({ min: 1, max: 30 })
  })
).chain(([{ booking, of, periods, today, todayCents, wishOf }]) => {
  const selectResult = selectItems(of, wishOf(of), true)
  const facts = { periods, adjustments: [], onlineHoursAhead: null }
  const quoteResult = Either.flatMap(selectResult, (selection) => quote(of, selection, facts))
  if (Either.isLeft(selectResult) || Either.isLeft(quoteResult)) return FastCheck.constant([])
  const { lines, total_cents: totalCents } = quoteResult.right
  const price = isPriced(of) ? toBookingPrice(of, selectResult.right, lines) : null
  return FastCheck.constant([{
    of,
    booking: { ...booking, quantity: selectResult.right.places, totalCents, price, periods },
    offering: { id: "", kind: of.kind, priceCents: todayCents, pricing: today, maxPerBooking: 10_000 }
  }])
}).filter((all) => all.length > 0).map(([one]) => one!)

const totalOf = ({ booking, offering }: PricedBooking, change: PriceChange): number | string =>
  Either.match(computeChangedPrice(booking, change, offering), {
    onLeft: ({ code }) => code,
    onRight: ({ change }) => change.totalCents
  })

const runs = { numRuns: 500 }

describe("changePrice", () => {
  it("retains an unchanged booking's price when today's prices differ", () => {
    FastCheck.assert(
      FastCheck.property(bookedCase, (one) => {
        const { booking: { price, quantity, totalCents } } = one
        const { change } = Either.getOrThrow(computeChangedPrice(one.booking, {}, one.offering))
        assert.deepStrictEqual([change.quantity, change.totalCents], [quantity, totalCents])
        if (price !== null) assert.deepStrictEqual(change.price, price)
        const same = { party: change.price?.party ?? [], extras: change.price?.extras ?? [] }
        assert.strictEqual(totalOf(one, same), totalCents)
      }),
      runs
    )
  })

  it("charges the stored price if the party grows or shrinks", () => {
    let compared = 0
    FastCheck.assert(
      FastCheck.property(bookedCase, FastCheck.integer({ min: 1, max: 6 }), (one, times) => {
        const { booking, of } = one
        const [rate, ...others] = booking.price?.terms.pricing?.rates ?? []
        if (others.length > 0) return
        const quantity = times * (rate?.places ?? 1)
        // The booking keeps only its own rates and extras. A per-place extra has at most one unit per place.
        const keptTerms = { ...of, ...booking.price?.terms }
        const extras = (booking.price?.extras ?? []).map(({ extra_id, quantity: n }) => {
          const isPerPlace = keptTerms.pricing?.extras?.find(({ id }) => id === extra_id)?.per === "place"
          return { extra_id, quantity: isPerPlace ? Math.min(n, quantity) : n }
        })
        const facts = { periods: booking.periods, adjustments: [], onlineHoursAhead: null }
        const expected = Either.flatMap(
          selectItems(keptTerms, { quantity, extras }, true),
          (selection) => quote(keptTerms, selection, facts)
        )
        const total = totalOf(one, { quantity })
        if (Either.isLeft(expected)) return assert.strictEqual(total, expected.left.code)
        assert.strictEqual(total, expected.right.total_cents)
        compared++
      }),
      runs
    )
    assert.isAbove(compared, 100)
  })

  it("adds adjustments to the total and retains them until they are replaced", () => {
    FastCheck.assert(
      FastCheck.property(bookedCase, adjustments, (one, adjustments) => {
        const sum = adjustments.reduce((all, { cents }) => all + cents, 0)
        const { booking, offering } = one
        const total = totalOf(one, { adjustments })
        if (booking.totalCents + sum < 0) return assert.strictEqual(total, "party_invalid")
        assert.strictEqual(total, booking.totalCents + sum)
        const { change } = Either.getOrThrow(computeChangedPrice(booking, { adjustments }, offering))
        const changedCase = { ...one, booking: { ...booking, ...change } }
        assert.strictEqual(totalOf(changedCase, { quantity: change.quantity }), total)
        assert.strictEqual(totalOf(changedCase, { adjustments: [] }), booking.totalCents)
      }),
      runs
    )
  })

  it("applies a new discount to the same subtotal", () => {
    FastCheck.assert(
      FastCheck.property(bookedCase, FastCheck.option(discount), (one, newDiscount) => {
        const { booking, offering } = one
        const result = computeChangedPrice(booking, { discount: newDiscount }, offering)
        if (Either.isLeft(result)) return assert.strictEqual(result.left.code, "party_invalid")
        const { change, quoted } = result.right
        const { subtotal_cents: subtotal } = Either.getOrThrow(computeChangedPrice(booking, {}, offering)).quoted
        const scaled = Number((BigInt(subtotal) * BigInt(newDiscount?.percent_bps ?? 0) * 2n + 10_000n) / 20_000n)
        const expected = newDiscount === null ? 0 : Math.min(subtotal, newDiscount.cents ?? scaled)
        assert.deepStrictEqual([quoted.subtotal_cents, quoted.discount_cents], [subtotal, expected])
        const { discount: earlier = null } = booking.price?.terms ?? {}
        const back = totalOf({ ...one, booking: { ...booking, ...change } }, { discount: earlier })
        assert.strictEqual(back, booking.totalCents)
      }),
      runs
    )
  })

  it("charges rates that are new to the booking at today's price", () => {
    const { booking: [some] } = { booking: FastCheck.sample(bookedCase, { numRuns: 1, seed: 1 }) }
    assert.isDefined(some)
    const one = {
      ...some,
      booking: { ...some.booking, quantity: 2, totalCents: 2000, periods: 1, price: null },
      offering: {
        id: "",
        kind: "class" as const,
        priceCents: 9000,
        maxPerBooking: 10,
        pricing: {
          rates: [
            { id: "adult", name: "Adult", price_cents: 9000, places: 1 },
            { id: "child", name: "Child", price_cents: 700, places: 1 }
          ],
          extras: [{ id: "photos", name: "Photos", price_cents: 100, per: "booking" as const }]
        }
      }
    }
    assert.strictEqual(totalOf(one, { quantity: 3 }), 3000)
    assert.strictEqual(totalOf(one, { extras: [{ extra_id: "photos", quantity: 1 }] }), 2100)
    const party = [{ rate_id: "standard", quantity: 2 }, { rate_id: "child", quantity: 1 }]
    assert.strictEqual(totalOf(one, { party }), 2700)
    assert.strictEqual(totalOf(one, { quantity: 11 }), "invalid_request")
    const two = {
      ...one,
      booking: {
        ...one.booking,
        ...Either.getOrThrow(computeChangedPrice(one.booking, { party }, one.offering)).change
      }
    }
    assert.strictEqual(totalOf(two, { quantity: 2 }), "party_invalid")
    assert.strictEqual(totalOf(two, { quantity: 3 }), 2700)
  })
})
