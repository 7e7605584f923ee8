/**
 * Parses typed numbers, durations, and amounts. An amount is in the org's currency: `95`, `95.50`, `1,250.00`,
 * `1.250,00`, or `$95`.
 */
import { invalid, type Refusal } from "@trailbook/core"
import { getCurrencyDecimals } from "@trailbook/core/money"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"

/**
 * Returns the amount in the smallest currency unit, or an error message. Amounts are never rounded, and ambiguous
 * amounts are rejected.
 */
export const parseCents = (text: string, currency: string): number | string => {
  const decimals = getCurrencyDecimals(currency)
  const amountText = removeSign(text.replaceAll(/[\s'’_]/g, "").toLowerCase(), currency)
  if (!/^\d[\d.,]*$/.test(amountText)) return `must be an amount such as ${exampleAmount(decimals)}`
  const parts = splitDecimals(amountText, decimals)
  if (parts === undefined) return `could be read in two ways. Enter an amount such as ${exampleAmount(decimals)}`
  const [whole, fraction] = parts
  if (!/^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+)$/.test(whole)) {
    return `must be an amount such as ${exampleAmount(decimals)}`
  }
  if (fraction.length > decimals) {
    const code = currency.toUpperCase()
    return decimals === 0
      ? `must be a whole number because ${code} has no decimals`
      : `must have at most ${decimals} decimals`
  }
  const cents = Number(whole.replaceAll(/[.,]/g, "") + fraction.padEnd(decimals, "0"))
  return cents <= maxCents ? cents : `must be at most ${formatAmountInput(maxCents, currency)}`
}

/** Removes the currency's sign or code from before or after the amount. Any other text is invalid. */
const removeSign = (text: string, currency: string): string => {
  const sign = listSigns(currency).find((sign) => text.startsWith(sign) || text.endsWith(sign))
  const amountText = sign === undefined
    ? text
    : text.startsWith(sign)
    ? text.slice(sign.length)
    : text.slice(0, -sign.length)
  return amountText.replace(/^\p{Sc}/u, "").replace(/\p{Sc}$/u, "")
}

/** Returns the currency's signs, longest first, so that `cg.` matches before `cg`. */
const listSigns = (currency: string): ReadonlyArray<string> => {
  const signs = ["en-US", "en-CA"].flatMap((locale) =>
    (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay }).formatToParts(0)
        .flatMap(({ type, value }) => type === "currency" ? [value.toLowerCase()] : [])
    )
  )
  const signVariants = [currency, ...signs].flatMap((sign) => /\p{L}$/u.test(sign) ? [`${sign}.`, sign] : [sign])
  return signVariants.toSorted((a, b) => b.length - a.length)
}

/** The maximum amount that the operations accept. */
const maxCents = 10_000_000_000

/** Splits the digits at the decimal separator, or returns undefined if it is ambiguous. */
const splitDecimals = (digits: string, decimals: number): readonly [whole: string, fraction: string] | undefined => {
  const at = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","))
  if (at < 0) return [digits, ""]
  const separator = digits[at] ?? ""
  const [whole, fraction] = [digits.slice(0, at), digits.slice(at + 1)]
  const hasBothSeparators = /[.,]/.test(whole.replaceAll(separator, ""))
  // If two different separators occur, the last one is the decimal separator. A repeated separator groups thousands.
  if (hasBothSeparators) return [whole, fraction]
  if (whole.includes(separator)) return [digits, ""]
  if (fraction.length !== 3) return [whole, fraction]
  // A single separator before three digits groups thousands, unless the currency has three decimals.
  if (decimals !== 3) return [digits, ""]
  return separator === "." ? [whole, fraction] : undefined
}

const exampleAmount = (decimals: number): string => decimals === 0 ? "9500" : `95.${"50".padEnd(decimals, "0")}`

/** Formats an amount for an input field: `95` or `95.50`. */
export const formatAmountInput = (cents: number, currency: string): string => {
  const decimals = getCurrencyDecimals(currency)
  const digits = String(cents).padStart(decimals + 1, "0")
  const at = digits.length - decimals
  const fraction = digits.slice(at)
  return Number(fraction) === 0 ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** Parses an amount that was entered in a form. Errors name the field. */
export const parseAmountField = (form: Form, name: string, currency: string): FieldResult<number> => {
  const result = parseCents(form[name] ?? "", currency)
  return typeof result === "number" ? Effect.succeed(result) : invalid(`${name}: ${result}`)
}

type FieldResult<A> = Effect.Effect<A, Refusal<"invalid_request">>

export const readInteger = (form: Form, name: string): FieldResult<number> => {
  const text = (form[name] ?? "").trim()
  return /^\d{1,9}$/.test(text) ? Effect.succeed(Number(text)) : invalid(`${name}: must be a whole number`)
}

/** Parses a number with a decimal point or comma, or returns null for an empty field. */
export const readOptionalNumber = (form: Form, name: string): FieldResult<number | null> => {
  const text = (form[name] ?? "").trim().replace(",", ".")
  if (text === "") return Effect.succeed(null)
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Effect.succeed(Number(text)) : invalid(`${name}: must be a number`)
}

/** Parses a percentage into hundredths of a percent, without rounding. */
export const readBasisPoints = (form: Form, name: string): FieldResult<number> => {
  const text = (form[name] ?? "").trim().replace(",", ".").replace(/ ?%$/, "")
  const bps = Math.round(Number(text) * 100)
  return /^\d{1,3}(?:\.\d\d?)?$/.test(text) && bps <= 10_000
    ? Effect.succeed(bps)
    : invalid(`${name}: must be a percentage from 0 to 100 with at most 2 decimals`)
}

/** The units for typed durations, in minutes. */
export const minutesPerUnit = { minutes: 1, hours: 60, days: 1440 } as const

/** Converts the duration in the fields `name` and `name_unit` to minutes. For example, `1.5` hours are 90 minutes. */
export const readMinutes = (form: Form, name: string): FieldResult<number> => {
  const text = (form[name] ?? "").trim().replace(",", ".")
  if (!/^\d+(?:\.\d+)?$/.test(text)) return invalid(`${name}: must be a number such as 90 or 1.5`)
  const unit = form[`${name}_unit`] ?? "minutes"
  const minutes = Number(text) *
    (Object.hasOwn(minutesPerUnit, unit) ? minutesPerUnit[unit as keyof typeof minutesPerUnit] : 1)
  return Number.isSafeInteger(Math.round(minutes)) && Math.abs(minutes - Math.round(minutes)) < 1e-6
    ? Effect.succeed(Math.round(minutes))
    : invalid(`${name}: must be a whole number of minutes`)
}

/** Formats minutes, such as `5 minutes`, `1 hour`, or `30 days`. */
export const formatDuration = (minutes: number): string => {
  const { length, length_unit: unit } = toDurationFields("length", minutes)
  return minutes === 0 ? "0 minutes" : `${length} ${length === "1" ? unit.slice(0, -1) : unit}`
}

/** Formats minutes for a form, in the largest unit that leaves no remainder. */
export const toDurationFields = <Name extends string>(
  name: Name,
  minutes: number
): Record<Name | `${Name}_unit`, string> => {
  const unit = minutes === 0 ? "hours" : minutes % 1440 === 0 ? "days" : minutes % 60 === 0 ? "hours" : "minutes"
  return { [name]: String(minutes / minutesPerUnit[unit]), [`${name}_unit`]: unit } as Record<
    Name | `${Name}_unit`,
    string
  >
}
