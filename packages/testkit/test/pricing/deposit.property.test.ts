import { bookingDecider, computeBalance, computeDueNowCents } from "@trailbook/core/booking"
import * as Decider from "@trailbook/core/Decider"
import { quote, selectItems, toBookingPrice } from "@trailbook/core/pricing"
import * as Instant from "@trailbook/core/time/Instant"
import { booking, moment } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { terms, wishFor } from "./quoteProperty.ts"

describe("dueNowCents", () => {
  it("equals the amount due now in the booking's quote", () => {
    let deposits = 0
    FastCheck.assert(
      FastCheck.property(booking, terms, wishFor, moment, FastCheck.nat(300 * 60), (some, of, wishOf, now, minutes) => {
        const startsAt = Instant.addMinutes(now, minutes)
        const selectResult = selectItems(of, wishOf(of))
        if (Either.isLeft(selectResult)) return
        const facts = { periods: some.periods, adjustments: [], onlineHoursAhead: minutes / 60 }
        const quoteResult = quote(of, selectResult.right, facts)
        if (Either.isLeft(quoteResult)) return
        const { due_now_cents: dueNow, lines, total_cents: totalCents } = quoteResult.right
        const hold = {
          ...some,
          status: "held" as const,
          confirmedAt: null,
          expiresAt: Instant.addMinutes(now, 30),
          paymentDue: true,
          checkoutUrl: null,
          keepCents: null,
          createdAt: now,
          startsAt,
          quantity: selectResult.right.places,
          totalCents,
          onlineCents: null,
          deskCents: 0,
          paidAt: null,
          paymentIntentId: null,
          refund: null,
          dispute: null,
          price: toBookingPrice(of, selectResult.right, lines)
        }
        assert.strictEqual(computeDueNowCents(hold), dueNow)
        const pay = { _tag: "Pay" as const, now, paymentIntentId: "intent", placeIsFree: true, cents: dueNow }
        const { state } = Either.getOrThrow(Decider.run(bookingDecider)(hold, pay))
        const { dueCents, keptCents, owedCents, paidCents } = computeBalance(state)
        assert.deepStrictEqual([paidCents, dueCents, owedCents, keptCents], [dueNow, totalCents - dueNow, 0, null])
        if (dueNow < totalCents) deposits++
      }),
      { numRuns: 500 }
    )
    assert.isAbove(deposits, 20)
  })
})
