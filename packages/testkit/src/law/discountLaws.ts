import { isDiscountUse } from "@trailbook/core/booking/Booking"
import { makeTerms, maxTotalCents } from "@trailbook/core/pricing/quote"
import { creationPosition } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { discountCode } from "../generator/discount.ts"
import { moment } from "../generator/moment.ts"
import { orgData } from "../generator/orgData.ts"
import { oldestFirst, sameRows } from "./compare.ts"
import { lawsAbout } from "./lawsAbout.ts"
import { readAllPages } from "./readAllPages.ts"
import { newId, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

const inTown = lawsAbout(seedOrg)

const codes = FastCheck.uniqueArray(discountCode, {
  maxLength: 6,
  comparator: (a, b) => a.id === b.id || a.code === b.code
})

export const discountLaws = [
  inTown(
    "discounts/rows",
    "lists the discount codes of an org in order of creation, until they are replaced or removed",
    FastCheck.tuple(orgData(0), codes),
    function*({ orgId, twinId }, given) {
      const rows = given.map((row) => ({ ...row, orgId }))
      for (const row of rows) yield* Store.discounts.put(row)
      for (const row of rows) yield* Store.discounts.put({ ...row, orgId: twinId, maxUses: 1 })
      const sorted = oldestFirst(rows)
      assert.deepStrictEqual(yield* Store.discounts.list({ orgId, limit: 100 }), sorted)
      assert.deepStrictEqual(
        yield* readAllPages(2, (after) => Store.discounts.list({ orgId, after, limit: 2 }), creationPosition),
        sorted
      )
      const [first] = rows
      if (first === undefined) return
      const changed = { ...first, code: "OTHER-CODE", maxUses: 7 }
      yield* Store.discounts.put(changed)
      assert.deepStrictEqual(
        Option.getOrNull(yield* Store.discounts.findByCode({ orgId, code: "OTHER-CODE" })),
        changed
      )
      assert.isTrue(Option.isNone(yield* Store.discounts.findByCode({ orgId, code: first.code })))
      assert.isTrue(Option.isNone(yield* Store.discounts.findByCode({ orgId: twinId, code: "OTHER-CODE" })))
      assert.deepStrictEqual(Option.getOrNull(yield* Store.run(Store.discounts.lock(first))), changed)
      const codesOf = [...rows.slice(1), changed].map(({ code, orgId }) => ({ code, orgId }))
      sameRows(
        yield* Store.run(Store.discounts.lockByCode([...codesOf, ...codesOf, { orgId, code: first.code }])),
        [...rows.slice(1), changed]
      )
      yield* Store.discounts.remove(first)
      assert.isTrue(Option.isNone(yield* Store.run(Store.discounts.lock(first))))
      assert.isTrue(Option.isSome(yield* Store.run(Store.discounts.lock({ ...first, orgId: twinId }))))
      assert.isTrue(Option.isNone(yield* Store.run(Store.discounts.lock({ orgId, id: newId() }))))
    }
  ),

  inTown(
    "discounts/uses",
    "counts confirmed bookings, live holds, and canceled bookings whose use is not returned, and sums the confirmed bookings",
    FastCheck.tuple(
      orgData(9),
      FastCheck.uniqueArray(discountCode, {
        minLength: 2,
        maxLength: 2,
        comparator: (a, b) => a.id === b.id || a.code === b.code
      }),
      FastCheck.array(FastCheck.option(FastCheck.nat(1)), { minLength: 9, maxLength: 9 }),
      moment
    ),
    function*({ bookings, offerings, orgId, twinId }, given, used, now) {
      const discounts = given.map((row) => ({ ...row, orgId }))
      for (const row of discounts) yield* Store.discounts.put(row)
      for (const row of discounts) yield* Store.discounts.put({ ...row, orgId: twinId })
      const priced = bookings.map((row, at) => {
        // No operation stores a larger total. The sum of larger totals would exceed the safe integer range.
        const booking = { ...row, totalCents: Math.min(row.totalCents, maxTotalCents) }
        const discount = discounts[used[at] ?? -1]
        const [offering] = offerings
        if (discount === undefined || offering === undefined) return { ...booking, price: null }
        const terms = makeTerms(offering, [], { id: discount.id, code: discount.code, percent_bps: 0 })
        return { ...booking, price: { party: [], extras: [], lines: [], terms } }
      })
      yield* Store.bookings.put(priced)
      const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
      const expected = discounts.map(({ id, returnsOnCancel }) => {
        const own = priced.filter(({ price }) => price?.terms.discount?.id === id)
        const paying = own.filter(({ currency, status }) => status === "confirmed" && currency === org.currency)
        return {
          id,
          uses: own.filter((booking) => isDiscountUse(booking, returnsOnCancel, now)).length,
          revenueCents: paying.reduce((sum, { totalCents }) => sum + totalCents, 0)
        }
      })
      sameRows(yield* Store.discounts.uses([...discounts, { orgId, id: newId() }], now), expected)
      const none = discounts.map(({ id }) => ({ id, uses: 0, revenueCents: 0 }))
      sameRows(yield* Store.discounts.uses(discounts.map((row) => ({ ...row, orgId: twinId })), now), none)
      assert.deepStrictEqual(yield* Store.discounts.uses([], now), [])
    }
  )
]
