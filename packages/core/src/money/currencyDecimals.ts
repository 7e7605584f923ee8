/**
 * How many decimals the smallest unit of a currency has by ISO 4217: 2 for dollars, 0 for yen, 3 for Kuwaiti dinars.
 *
 * Intl's own digits are those of daily use: it prints 100000 fillér, which are 1,000.00 forints, as HUF 100,000, and
 * takes other currencies so from one release to the next.
 *
 * @category getters
 */
export const currencyDecimals = (currency: string): number =>
  whole.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2

const whole = new Set("bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" "))

const thousandths = new Set("bhd iqd jod kwd lyd omr tnd".split(" "))
