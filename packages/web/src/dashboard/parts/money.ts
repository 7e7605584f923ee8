/** Amounts as people type them, in the currency of an org: `95`, `95.50`, `1,250.00`, `1.250,00` or `$95`. */
import { currencyDecimals } from "@trailbook/core/money/currencyDecimals"
import { invalid, type Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * The amount in the smallest unit of the currency, or a sentence that says what is wrong. Nothing is rounded and nothing
 * guessed: what could mean two amounts is refused.
 */
export const parseCents = (text: string, currency: string): number | string => {
  const decimals = currencyDecimals(currency)
  const typed = withoutSign(text.replaceAll(/[\s'’_]/g, "").toLowerCase(), currency)
  if (!/^\d[\d.,]*$/.test(typed)) return `must be an amount such as ${example(decimals)}`
  const parts = split(typed, decimals)
  if (parts === undefined) return `is ambiguous: enter it as ${example(decimals)}`
  const [whole, fraction] = parts
  if (!/^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+)$/.test(whole)) {
    return `must be an amount such as ${example(decimals)}`
  }
  if (fraction.length > decimals) {
    const code = currency.toUpperCase()
    return decimals === 0 ? `must be whole: ${code} has no decimals` : `must have at most ${decimals} decimals`
  }
  const cents = Number(whole.replaceAll(/[.,]/g, "") + fraction.padEnd(decimals, "0"))
  return cents <= maxCents ? cents : `must be at most ${formatInput(maxCents, currency)}`
}

/** Without the sign or the code of this very currency, before or behind: any other word would be a slip. */
const withoutSign = (typed: string, currency: string): string => {
  const sign = signsOf(currency).find((sign) => typed.startsWith(sign) || typed.endsWith(sign))
  const left = sign === undefined
    ? typed
    : typed.startsWith(sign)
    ? typed.slice(sign.length)
    : typed.slice(0, -sign.length)
  return left.replace(/^\p{Sc}/u, "").replace(/\p{Sc}$/u, "")
}

/** The longest first: `cg.` before `cg`. */
const signsOf = (currency: string): ReadonlyArray<string> => {
  const signs = ["en-US", "en-CA"].flatMap((locale) =>
    (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay }).formatToParts(0)
        .flatMap(({ type, value }) => type === "currency" ? [value.toLowerCase()] : [])
    )
  )
  const all = [currency, ...signs].flatMap((sign) => /\p{L}$/u.test(sign) ? [`${sign}.`, sign] : [sign])
  return all.toSorted((a, b) => b.length - a.length)
}

/** What the operations take at most. */
const maxCents = 10_000_000_000

/** What stands before and behind the point, whichever sign that is; undefined where it could be either. */
const split = (typed: string, decimals: number): readonly [whole: string, fraction: string] | undefined => {
  const at = Math.max(typed.lastIndexOf("."), typed.lastIndexOf(","))
  if (at < 0) return [typed, ""]
  const sign = typed[at] ?? ""
  const [whole, fraction] = [typed.slice(0, at), typed.slice(at + 1)]
  const isOther = /[.,]/.test(whole.replaceAll(sign, ""))
  // Of two kinds of sign the last is the point; one that comes again and again is none.
  if (isOther) return [whole, fraction]
  if (whole.includes(sign)) return [typed, ""]
  if (fraction.length !== 3) return [whole, fraction]
  // Three digits behind one sign: thousands, except where a currency has thousandths.
  if (decimals !== 3) return [typed, ""]
  return sign === "." ? [whole, fraction] : undefined
}

const example = (decimals: number): string => decimals === 0 ? "9500" : `95.${"50".padEnd(decimals, "0")}`

/** An amount as a form shows it, to be read back as the same: `95` or `95.50`. */
export const formatInput = (cents: number, currency: string): string => {
  const decimals = currencyDecimals(currency)
  const digits = String(cents).padStart(decimals + 1, "0")
  const at = digits.length - decimals
  const fraction = digits.slice(at)
  return Number(fraction) === 0 ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** An amount of a form; what is wrong with it names the field. */
export const amountIn = (
  form: Readonly<Record<string, string>>,
  name: string,
  currency: string
): Effect.Effect<number, Refusal<"invalid_request">> => {
  const read = parseCents(form[name] ?? "", currency)
  return typeof read === "number" ? Effect.succeed(read) : invalid(`${name}: ${read}`)
}
