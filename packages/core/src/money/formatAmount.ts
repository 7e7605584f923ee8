import { currencyDecimals } from "./currencyDecimals.ts"

/**
 * An amount as people read it: `$240.00`, `¥5,000`. `cents` counts the smallest
 * unit of the currency by ISO 4217, as payment providers count it: hundredths of
 * a dollar, whole yen, thousandths of a Kuwaiti dinar. A price is never
 * rounded.
 *
 * @category formatting
 */
export const formatAmount = (cents: number, currency: string): string =>
  // Moving the point in the text keeps every digit. TypeScript cannot see that this is a number.
  formatOf(currency).format(`${cents}E-${currencyDecimals(currency)}` as `${number}`)

/** Making one costs as much as the rest of a message. There are no more of them than currencies. */
const formats = new Map<string, Intl.NumberFormat>()

const formatOf = (currency: string): Intl.NumberFormat => {
  const known = formats.get(currency)
  if (known !== undefined) return known
  const decimals = currencyDecimals(currency)
  const made = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
  })
  formats.set(currency, made)
  return made
}
