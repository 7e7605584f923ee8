/**
 * The times of an answer as the outfitter's clocks show them, each beside or in
 * place of its instant. Models get a zone wrong by hours or a day when they
 * convert by themselves, and many clients hand them nothing but the data.
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type * as Zone from "@trailbook/core/time/Zone"
import { type Data, isData, opaqueJsonFields } from "./compactResult.ts"

/** `Sun 2027-05-02 09:00`. */
export const localTime = (zone: Zone.Zone, instant: Instant.Instant): string => {
  const { date, millisOfDay } = zone.wallAt(instant)
  const minutes = Math.floor(millisOfDay / 60_000)
  const two = (n: number) => String(n).padStart(2, "0")
  return `${localDay(date)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** `Sun 2027-05-02`. */
export const localDay = (date: LocalDate.LocalDate): string =>
  `${weekdays[LocalDate.weekday(date)]} ${LocalDate.format(date)}`

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

/** Whether an answer has times that want a zone. */
export const hasTimes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasTimes)
    : isData(value) &&
      Object.entries(value).some(([name, inner]) =>
        timeFieldStem(name) !== undefined || (!opaqueJsonFields.has(name) && hasTimes(inner))
      )

/**
 * `starts_at` gets `starts_local` beside it, for tools take it back. Of every
 * other instant only the local time is told.
 */
export const localTimes = (value: unknown, zone: Zone.Zone): unknown => {
  if (Array.isArray(value)) return value.map((inner: unknown) => localTimes(inner, zone))
  if (!isData(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => timeOf(name, inner, zone)))
}

const timeOf = (name: string, inner: unknown, zone: Zone.Zone): ReadonlyArray<readonly [string, unknown]> => {
  const stem = timeFieldStem(name)
  const instant = stem === undefined || typeof inner !== "string" ? undefined : Instant.parse(inner)
  if (instant === undefined) return [[name, opaqueJsonFields.has(name) ? inner : localTimes(inner, zone)]]
  const local = [`${stem}_local`, localTime(zone, instant)] as const
  return withoutLocalTimes.has(name) ? [[name, inner], local] : [local]
}

/** Instants that tools are called with. */
export const withoutLocalTimes: ReadonlySet<string> = new Set(["starts_at"])

/** `starts` of `starts_at`, and `at` of `at`. */
export const timeFieldStem = (name: string): string | undefined =>
  name.endsWith("_at") ? name.slice(0, -"_at".length) : name === "at" ? name : undefined

/** What stands at the head of an answer with local times. */
export const clock = (zone: Zone.Zone, now: Instant.Instant): Data => ({
  now_local: localTime(zone, now),
  timezone: zone.name
})
