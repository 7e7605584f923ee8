/**
 * Returns a currency's number of decimals (ISO 4217): 2 for dollars, 0 for yen, 3 for Kuwaiti dinars.
 *
 * `Intl` instead uses the number of decimals in everyday use. For example, it formats 100000 fillér (1,000.00 forints)
 * as HUF 100,000, and its choice of decimals changes between releases.
 */
export const currencyDecimals = (currency: string): number =>
  whole.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2

const whole = new Set("bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" "))

const thousandths = new Set("bhd iqd jod kwd lyd omr tnd".split(" "))
