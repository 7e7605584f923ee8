/** Parses typed numbers and durations. */
import { invalid, type Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"

type TypedValues = Readonly<Record<string, string>>
type FieldResult<A> = Effect.Effect<A, Refusal<"invalid_request">>

export const readInteger = (form: TypedValues, name: string): FieldResult<number> => {
  const text = (form[name] ?? "").trim()
  return /^\d{1,9}$/.test(text) ? Effect.succeed(Number(text)) : invalid(`${name}: must be a whole number`)
}

/** Parses a number with a decimal point or comma, or returns null for an empty field. */
export const readOptionalNumber = (form: TypedValues, name: string): FieldResult<number | null> => {
  const text = (form[name] ?? "").trim().replace(",", ".")
  if (text === "") return Effect.succeed(null)
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Effect.succeed(Number(text)) : invalid(`${name}: must be a number`)
}

/** Parses a percentage into hundredths of a percent, without rounding. */
export const readBps = (form: TypedValues, name: string): FieldResult<number> => {
  const text = (form[name] ?? "").trim().replace(",", ".").replace(/ ?%$/, "")
  const bps = Math.round(Number(text) * 100)
  return /^\d{1,3}(?:\.\d\d?)?$/.test(text) && bps <= 10_000
    ? Effect.succeed(bps)
    : invalid(`${name}: must be a percentage from 0 to 100 with at most 2 decimals`)
}

/** The units for typed durations, in minutes. */
export const minutesPerUnit = { minutes: 1, hours: 60, days: 1440 } as const

/** Converts the duration in the fields `name` and `name_unit` to minutes. For example, `1.5` hours are 90 minutes. */
export const readMinutes = (form: TypedValues, name: string): FieldResult<number> => {
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
