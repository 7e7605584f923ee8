/**
 * Integer arithmetic for the proleptic Gregorian calendar, based on Howard Hinnant's algorithms
 * (https://howardhinnant.github.io/date_algorithms.html). Dates are numbers of days since 1970-01-01, independent of
 * clocks and zones.
 */

/**
 * The number of milliseconds in a 24-hour day. This is correct for UTC and wall time, but not for the elapsed time
 * between two local dates.
 */
export const millisPerDay = 86_400_000

/** Returns the day number of a date, or undefined if the date does not exist or its year is outside 1970–9999. */
export const toDayNumber = (year: number, month: number, day: number): number | undefined => {
  const exists = year >= 1970 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return exists ? daysFromCivil(year, month, day) : undefined
}

/** Formats a day number as `YYYY-MM-DD`. */
export const formatDay = (days: number): string => {
  // Years start in March here, so that the leap day is the last day of the year. 719468 is the number of days from
  // 0000-03-01 to 1970-01-01.
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, "0")}-${padTwoDigits(month)}-${padTwoDigits(day)}`
}

/** Formats a number from 0 to 99 with two digits. */
export const padTwoDigits = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

const daysFromCivil = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
