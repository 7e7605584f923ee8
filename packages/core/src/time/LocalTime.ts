/** A wall time without a zone or a date. A `Zone` converts a wall time on a date to an instant. */
import type * as Brand from "effect/Brand"
import { padTwoDigits } from "./calendar.ts"

/** 86400 is `24:00`: the end of the date and the midnight that follows. */
export type LocalTime = number & Brand.Brand<"LocalTime">

/** Converts seconds since midnight to a time, without validation. */
export const make = (secondOfDay: number): LocalTime => secondOfDay as LocalTime

/**
 * Parses `HH:MM` or `HH:MM:SS` from 00:00 to 23:59:59, and `24:00` or `24:00:00`. Returns undefined for any other text.
 *
 * @example
 * import * as LocalTime from "@trailbook/core/time/LocalTime"
 *
 * LocalTime.parse("09:30") // 34200
 * LocalTime.parse("24:01") // undefined
 */
export const parse = (text: string): LocalTime | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, hour = "24", minute = "0", second = "0"] = match
  return make(Number(hour) * 3600 + Number(minute) * 60 + Number(second))
}

/** Formats a time as `HH:MM:SS`, with `24:00:00` for the end of the date. */
export const format = (time: LocalTime): string => {
  const minuteOfDay = Math.floor(time / 60)
  const hour = Math.floor(minuteOfDay / 60)
  return `${padTwoDigits(hour)}:${padTwoDigits(minuteOfDay - hour * 60)}:${padTwoDigits(time - minuteOfDay * 60)}`
}

const pattern = /^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?|24:00(?::00)?)$/
