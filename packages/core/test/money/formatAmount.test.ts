import { currencies, formatAmount } from "@trailbook/core/money/Currency"
import { describe, expect, it } from "vitest"

const printed = (cents: number, currency: string) => formatAmount(cents, currency).replaceAll("\u00a0", " ")

describe("formatAmount", () => {
  it.each([
    [24_000, "usd", "$240.00"],
    [5, "eur", "€0.05"],
    [5000, "jpy", "¥5,000"],
    [1500, "kwd", "KWD 1.500"],
    // Intl omits the fraction, because the coins no longer exist.
    [100_000, "huf", "HUF 1,000.00"],
    [123_456, "idr", "IDR 1,234.56"],
    [250_000, "cop", "COP 2,500.00"],
    [0, "usd", "$0.00"]
  ])("formats %i %s as %s", (cents, currency, expected) => {
    expect(printed(cents, currency)).toBe(expected)
  })

  it("shows every digit up to the largest safe integer", () => {
    expect(printed(Number.MAX_SAFE_INTEGER, "usd")).toBe("$90,071,992,547,409.91")
    expect(printed(Number.MAX_SAFE_INTEGER, "jpy")).toBe("¥9,007,199,254,740,991")
  })

  it("shows at least as many decimals as Intl for every currency", () => {
    for (const currency of currencies) {
      const text = formatAmount(123_456_789, currency)
      expect(text.replace(/\D/g, ""), currency).toBe("123456789")
      const { maximumFractionDigits = 0 } = new Intl.NumberFormat("en-US", { style: "currency", currency })
        .resolvedOptions()
      expect(text.split(".")[1]?.length ?? 0, currency).toBeGreaterThanOrEqual(maximumFractionDigits)
    }
  })
})
