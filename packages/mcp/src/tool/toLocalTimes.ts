/**
 * Adds the outfitter's local times to a result, next to or instead of the instants. Models that convert time zones
 * themselves are often off by hours or a day, and many clients give models only the data.
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type * as Zone from "@trailbook/core/time/Zone"
import { isUnknownRecord, opaqueJsonFields, type UnknownRecord } from "./compactResult.ts"

/** Formats a time as `Sun 2027-05-02 09:00`. */
export const formatLocalTime = (zone: Zone.Zone, instant: Instant.Instant): string => {
  const { date, millisOfDay } = zone.wallAt(instant)
  const minutes = Math.floor(millisOfDay / 60_000)
  const two = (n: number) => String(n).padStart(2, "0")
  return `${formatLocalDay(date)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Formats a time with its offset, in the form that tools accept: `2027-05-02T09:00-06:00`. */
export const formatOffsetTime = (zone: Zone.Zone, instant: Instant.Instant): string => {
  const minutes = zone.offsetAt(instant) / 60_000
  const [, date, time] = formatLocalTime(zone, instant).split(" ")
  const two = (n: number) => String(Math.trunc(n)).padStart(2, "0")
  return `${date}T${time}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** Formats a date as `Sun 2027-05-02`. */
export const formatLocalDay = (date: LocalDate.LocalDate): string =>
  `${weekdays[LocalDate.weekday(date)]} ${LocalDate.format(date)}`

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

/** Whether a result contains times that need a time zone. */
export const hasTimes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasTimes)
    : isUnknownRecord(value) &&
      Object.keys(value).some((name) =>
        getTimeFieldStem(name) !== undefined || (!opaqueJsonFields.has(name) && hasTimes(value[name]))
      )

/**
 * Adds `starts_local` next to `starts_at`, because tools accept `starts_at` as input. Every other instant is replaced
 * by its local time.
 */
export const toLocalTimes = (value: unknown, zone: Zone.Zone): unknown =>
  Array.isArray(value)
    ? value.map((inner: unknown) => toLocalTimes(inner, zone))
    : isUnknownRecord(value)
    ? copyWithLocalTimes(value, zone)
    : value

/** Like {@link toLocalTimes}, but adds the fields to `result`. Copying a record with many fields is expensive. */
export const copyWithLocalTimes = (
  record: UnknownRecord,
  zone: Zone.Zone,
  result: Record<string, unknown> = {}
): UnknownRecord => {
  for (const name of Object.keys(record)) {
    const inner = record[name]
    const stem = getTimeFieldStem(name)
    const instant = stem === undefined || typeof inner !== "string" ? undefined : Instant.parse(inner)
    if (instant === undefined) {
      result[name] = opaqueJsonFields.has(name) ? inner : toLocalTimes(inner, zone)
      continue
    }
    if (instantFields.has(name)) result[name] = inner
    result[`${stem}_local`] = formatLocalTime(zone, instant)
  }
  return result
}

/** Fields that keep their instants, because tools accept them as input. */
export const instantFields: ReadonlySet<string> = new Set(["starts_at"])

/** Returns `starts` for `starts_at`, and `at` for `at`. */
export const getTimeFieldStem = (name: string): string | undefined =>
  name.endsWith("_at") ? name.slice(0, -"_at".length) : name === "at" ? name : undefined

/** Returns the current local time and the time zone, which come first in any result with local times. */
export const makeTimeFields = (zone: Zone.Zone, now: Instant.Instant): UnknownRecord => ({
  now_local: formatLocalTime(zone, now),
  timezone: zone.name
})
