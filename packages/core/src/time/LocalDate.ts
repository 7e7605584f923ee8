/** A calendar date without a zone. A `Zone` determines the instant at which the date starts. */
import type * as Brand from "effect/Brand"
import { formatDay, toDayNumber } from "./calendar.ts"

/** Whole days since 1970-01-01. Dates can be compared as numbers, and their difference is a number of calendar days. */
export type LocalDate = number & Brand.Brand<"LocalDate">

/** Converts days since 1970-01-01 to a date, without validation. */
export const make = (days: number): LocalDate => days as LocalDate

/**
 * Parses `YYYY-MM-DD`. Returns undefined for any other format, a date that does not exist, or a year outside 1970–9999.
 *
 * @example
 * import * as LocalDate from "@trailbook/core/time/LocalDate"
 *
 * LocalDate.parse("2028-02-29") // 21243
 * LocalDate.parse("2027-02-29") // undefined
 */
export const parse = (text: string): LocalDate | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const days = toDayNumber(Number(match[1]), Number(match[2]), Number(match[3]))
  return days === undefined ? undefined : make(days)
}

/** Formats a date as `YYYY-MM-DD`. */
export const format = (date: LocalDate): string => formatDay(date)

/** Adds `n` calendar days to a date, or subtracts them if `n` is negative. */
export const addDays = (date: LocalDate, n: number): LocalDate => make(date + n)

/** Returns the first date of the same month. */
export const firstOfMonth = (date: LocalDate): LocalDate => {
  const text = format(date)
  return make(date - Number(text.slice(-2)) + 1)
}

/** Returns the day of the week, from 0 (Sunday) to 6 (Saturday), as in opening hours. */
export const weekday = (date: LocalDate): number => {
  // 1970-01-01 was a Thursday. The second remainder handles earlier dates.
  return (((date + 4) % 7) + 7) % 7
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)$/
