/**
 * Formats an amount, such as `$240.00` and `¥5,000`, without rounding. `cents` is in the currency's smallest unit (ISO
 * 4217): hundredths of a dollar, whole yen, thousandths of a Kuwaiti dinar.
 */
export const formatAmount = (cents: number, currency: string): string =>
  // Shift the decimal exponent in the text, so that no digit is lost. TypeScript cannot infer that the text is numeric.
  formatOf(currency).format(`${cents}E-${getCurrencyDecimals(currency)}` as `${number}`)

/** Cached, because creating a formatter costs as much as building the rest of a message. */
const formats = new Map<string, Intl.NumberFormat>()

const formatOf = (currency: string): Intl.NumberFormat => {
  const cachedFormat = formats.get(currency)
  if (cachedFormat !== undefined) return cachedFormat
  const decimals = getCurrencyDecimals(currency)
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
  })
  formats.set(currency, format)
  return format
}

/**
 * Returns a currency's number of decimals (ISO 4217): 2 for dollars, 0 for yen, 3 for Kuwaiti dinars.
 *
 * `Intl` instead uses as many decimals as are common in everyday use. For example, it formats 100000 fillér (1,000.00
 * forints) as HUF 100,000, and the number of decimals it chooses changes between releases.
 */
export const getCurrencyDecimals = (currency: string): number =>
  whole.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2

const whole = new Set("bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" "))

const thousandths = new Set("bhd iqd jod kwd lyd omr tnd".split(" "))
