// ISO 4217 codes, excluding funds, metals, and test codes.
const codes =
  "aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop crc " +
  "cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr iqd irr isk " +
  "jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn " +
  "nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc " +
  "syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg"

/** The ISO 4217 codes in lowercase, as in requests and responses. */
export const currencies: ReadonlySet<string> = new Set(codes.split(" "))

/** Converts an ISO 4217 code to lowercase. Returns `undefined` for any other text. */
export const parseCurrency = (text: string): string | undefined => {
  // Accept only ASCII letters, because `toLowerCase` also maps the Kelvin sign to "k".
  const code = /^[a-z]{3}$/i.test(text) ? text.toLowerCase() : ""
  return currencies.has(code) ? code : undefined
}

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
