import { currencies } from "@trailbook/core/money"
import { toCents, toStripeUnits } from "@trailbook/stripe/toStripeUnits"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

/** From Stripe's documentation: https://docs.stripe.com/currencies#zero-decimal and the special cases below it. */
const zeroDecimal = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ")
const threeDecimal = "bhd jod kwd omr tnd".split(" ")

/** The number of decimals per ISO 4217, independent of the implementation. */
const isoDecimals = (currency: string): number =>
  "bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" ").includes(currency)
    ? 0
    : "bhd iqd jod kwd lyd omr tnd".split(" ").includes(currency)
    ? 3
    : 2

const stripeDecimals = (currency: string): number =>
  zeroDecimal.includes(currency) ? 0 : threeDecimal.includes(currency) || isoDecimals(currency) === 3 ? 3 : 2

const money = FastCheck.record({ currency: FastCheck.constantFrom(...currencies), cents: FastCheck.nat(10_000_000) })

describe("an amount", () => {
  it("is converted exactly or reported as not chargeable", () => {
    FastCheck.assert(
      FastCheck.property(money, ({ cents, currency }) => {
        const amount = toStripeUnits(cents, currency)
        if (Either.isLeft(amount)) {
          expect(cents % (currency === "mga" ? 100 : 10)).not.toBe(0)
          return
        }
        // Compare the amounts in thousandths, so that both are integers.
        expect(amount.right * 10 ** (3 - stripeDecimals(currency))).toBe(cents * 10 ** (3 - isoDecimals(currency)))
        if (stripeDecimals(currency) === 3) expect(amount.right % 10).toBe(0)
        expect(toCents(amount.right, currency)).toBe(cents)
      }),
      { numRuns: 3000 }
    )
  })

  it("in a currency with two decimals can always be charged", () => {
    FastCheck.assert(
      FastCheck.property(money, ({ cents, currency }) => {
        if (isoDecimals(currency) !== 3 && currency !== "mga") {
          expect(Either.isRight(toStripeUnits(cents, currency))).toBe(true)
        }
      }),
      { numRuns: 3000 }
    )
  })
})
