/** Parses and formats dates and times in the org's time zone. */
import { invalid, type Refusal } from "@trailbook/core"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Either from "effect/Either"
import type { Format } from "../../text/Format.ts"

/** Returns the operation input for a span of `days` days starting on `first`. */
export const toDaySpan = (zone: Zone.Zone, first: LocalDate.LocalDate, days: number) => ({
  from: Instant.format(zone.startOf(first)),
  to: Instant.format(zone.startOf(LocalDate.addDays(first, days)))
})

/** Parses a `datetime-local` value, such as `2027-05-01T09:00`, into an instant. */
export const parseDateTimeLocal = (
  name: string,
  text: string,
  timezone: string
): Either.Either<Instant.Instant, Refusal> => {
  const [, day = "", hour, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(text.trim()) ?? []
  const date = LocalDate.parse(day)
  const second = Number(hour) * 3600 + Number(minute) * 60
  return date === undefined || Number(hour) > 23 || Number(minute) > 59
    ? Either.left(invalid(`${name}: must be a date and a time`))
    : Either.right(Zone.get(timezone).instantAt(date, second))
}

/** Formats an instant as a `datetime-local` value. */
export const toDateTimeLocal = (instant: string, timezone: string): string => {
  const at = Instant.make(Date.parse(instant))
  return new Date(at + Zone.get(timezone).offsetAt(at)).toISOString().slice(0, 16)
}

/** Formats an instant for a CSV file, such as `2027-05-01 09:00`. */
export const toCsvMoment = (instant: string, timezone: string): string =>
  toDateTimeLocal(instant, timezone).replace("T", " ")

/** Formats an age for lists: `now`, `12 min`, `3 h`, or, after a day, `Fri, Nov 20`. */
export const formatAge = ({ day }: Pick<Format, "day">, now: string, at: string): string => {
  const minutes = Math.floor((Date.parse(now) - Date.parse(at)) / 60_000)
  if (minutes < 1) return "now"
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : day(at)
}
