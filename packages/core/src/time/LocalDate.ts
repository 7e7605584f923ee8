/**
 * A date on the calendar, in no zone. A `Zone` says when it begins there.
 */
import type * as Brand from "effect/Brand"
import { dayNumber, formatDay } from "./calendar.ts"

/**
 * Whole days since 1970-01-01. Two dates compare as numbers do, and their
 * difference is a number of calendar days.
 *
 * @category models
 */
export type LocalDate = number & Brand.Brand<"LocalDate">

/**
 * Calls a number of days since 1970-01-01 a date. It checks nothing.
 *
 * @category constructors
 */
export const make = (days: number): LocalDate => days as LocalDate

/**
 * Reads `YYYY-MM-DD`; `undefined` for any other form, a date that the calendar
 * does not have, or a year outside 1970–9999.
 *
 * @example
 * import * as LocalDate from "@trailbook/core/time/LocalDate"
 *
 * LocalDate.parse("2028-02-29") // 21243
 * LocalDate.parse("2027-02-29") // undefined
 *
 * @category parsing
 */
export const parse = (text: string): LocalDate | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const days = dayNumber(Number(match[1]), Number(match[2]), Number(match[3]))
  return days === undefined ? undefined : make(days)
}

/**
 * `YYYY-MM-DD`.
 *
 * @category formatting
 */
export const format = (date: LocalDate): string => formatDay(date)

/**
 * The date `n` calendar days later; earlier when `n` is negative.
 *
 * @category calculating
 */
export const addDays = (date: LocalDate, n: number): LocalDate => make(date + n)

/**
 * The first date of the month that a date is in.
 *
 * @category calculating
 */
export const firstOfMonth = (date: LocalDate): LocalDate => {
  const text = format(date)
  return make(date - Number(text.slice(-2)) + 1)
}

/**
 * The day of the week, 0 = Sunday to 6 = Saturday, as opening hours count it.
 *
 * @category calculating
 */
export const weekday = (date: LocalDate): number => {
  // 1970-01-01 was a Thursday. The second remainder is for dates before it.
  return (((date + 4) % 7) + 7) % 7
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)$/
