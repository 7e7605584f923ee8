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
