import { currencies, getCurrencyDecimals } from "@trailbook/core/money"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { formatAmountInput, parseCents } from "../../src/dashboard/parts/numberFields.ts"

const currency = FastCheck.constantFrom(...currencies)
const cents = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 100_000 }),
  FastCheck.integer({ min: 0, max: 10 ** 8 }),
  FastCheck.integer({ min: 0, max: 10 ** 10 })
)

/** Locales that write amounts with ASCII digits. */
const locales = ["en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "es-ES", "ja-JP"]

describe("an amount in a form", () => {
  it("is parsed back to the same value", () => {
    FastCheck.assert(
      FastCheck.property(currency, cents, (currency, cents) => {
        assert.strictEqual(parseCents(formatAmountInput(cents, currency), currency), cents)
      }),
      { numRuns: runs(1000, 200) }
    )
  })

  it("is never misread if typed in another locale's notation", () => {
    FastCheck.assert(
      FastCheck.property(
        currency,
        cents.filter((cents) => cents < 100_000_000),
        FastCheck.constantFrom(...locales),
        FastCheck.boolean(),
        (currency, cents, locale, isWhole) => {
          const decimals = getCurrencyDecimals(currency)
          const amount = isWhole ? cents - cents % 10 ** decimals : cents
          const text = new Intl.NumberFormat(locale, {
            style: "currency",
            currency,
            minimumFractionDigits: isWhole ? 0 : decimals,
            maximumFractionDigits: isWhole ? 0 : decimals
          }).format(`${amount}E-${decimals}` as `${number}`)
          const parsedCents = parseCents(text, currency)
          // In a currency with three decimals, the point in 1.250 is a decimal point, because the form itself shows
          // amounts that way.
          if (decimals === 3 && isWhole && /^\D*\d{1,3}\.\d{3}\D*$/.test(text)) return
          // Ambiguous amounts are refused: groups of two digits, and a comma before three digits in a currency with
          // three decimals. Currency words that only some regions use are also refused.
          if (typeof parsedCents === "number") assert.strictEqual(parsedCents, amount, text)
          else assert.isTrue(locale === "en-IN" || decimals === 3 || /\p{L}/u.test(text), `${text}: ${parsedCents}`)
        }
      ),
      { numRuns: runs(2000, 300) }
    )
  })

  it("is parsed with its currency's number of decimals", () => {
    const cases: ReadonlyArray<readonly [text: string, currency: string, cents: number]> = [
      ["95", "usd", 9500],
      ["$95.5", "usd", 9550],
      ["95,50", "eur", 9550],
      ["1.250,00 €", "eur", 125_000],
      ["1,250", "usd", 125_000],
      ["1 250.00", "usd", 125_000],
      ["CHF 1’250.50", "chf", 125_050],
      ["12,500", "jpy", 12_500],
      ["¥12500", "jpy", 12_500],
      ["1.250", "kwd", 1250],
      ["12", "kwd", 12_000],
      ["95 kr", "sek", 9500],
      ["US$95", "usd", 9500],
      ["A$ 95", "aud", 9500],
      ["₹95", "inr", 9500],
      ["1.250", "eur", 125_000],
      ["0", "usd", 0],
      [" 95 USD ", "usd", 9500]
    ]
    for (const [text, currency, cents] of cases) assert.strictEqual(parseCents(text, currency), cents, text)
  })

  it("is rejected rather than rounded if invalid", () => {
    const cases: ReadonlyArray<readonly [text: string, currency: string, says: string]> = [
      ["", "usd", "must be an amount such as 95.50"],
      ["ninety", "usd", "must be an amount"],
      ["-5", "usd", "must be an amount"],
      ["4o", "usd", "must be an amount"],
      ["95k", "usd", "must be an amount"],
      ["95 EUR", "usd", "must be an amount"],
      [".50", "usd", "must be an amount"],
      ["$.50", "usd", "must be an amount"],
      ["95.5055", "usd", "must have at most 2 decimals"],
      ["12.5", "jpy", "must be a whole number because JPY has no decimals"],
      ["1,250", "kwd", "could be read in two ways. Enter an amount such as"],
      ["1.2345", "kwd", "must have at most 3 decimals"],
      ["12.34.56", "usd", "must be an amount"],
      ["999999999999", "usd", "must be at most 100000000"],
      ["1e9", "usd", "must be an amount"]
    ]
    for (const [text, currency, says] of cases) {
      assert.include(String(parseCents(text, currency)), says, `${text} ${currency}`)
    }
  })
})
