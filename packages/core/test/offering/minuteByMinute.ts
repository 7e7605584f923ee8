/**
 * A second implementation of the rules for hours, grid, duration, fit, notice, and horizon, minute by minute. Apart
 * from the conversion between instants and wall times, it only scans minutes: the minutes of the week to merge hours,
 * and the minutes of the range to find open minutes.
 */
import type { BookingLength, Span } from "@trailbook/core/offering/listSlots"
import type { HoursEntry, Offering } from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Zone } from "@trailbook/core/time/Zone"

const minuteMs = 60_000
const dayMs = 86_400_000

export interface Question {
  readonly offering: Offering
  readonly zone: Zone
  readonly now: Instant.Instant
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly length: BookingLength
}

/** Scans in steps of `grainSeconds`. All opening hours must be multiples of `grainSeconds`. */
export const spansByMinute = (question: Question, grainSeconds = 60): ReadonlyArray<Span> => {
  const { from, length, now, offering, to, zone } = question
  const grain = grainSeconds * 1000
  const reach = (Math.ceil((length.periodMinutes * length.periods) / 1440) + 4) * dayMs
  const openings = windowsByMinute(offering.hours, zone, datesShown(zone, from - reach, to + reach), grainSeconds)
  const open = runs(openings, from - reach, to + reach, grain)
  const near = openings.filter((window) => window.open < to && window.close > from)
  const step = (offering.slotIntervalMinutes ?? offering.durationMinutes + offering.bufferMinutes) * minuteMs
  const lastDate = dateOf(zone, now, grain) + offering.maxAdvanceDays

  const spans: Array<Span> = []
  for (let at = Math.ceil(from / grain) * grain; at < to; at += grain) {
    const isOnAGrid = near.some(({ close, open }) => open <= at && at < close && (at - open) % step === 0)
    if (!isOnAGrid || at < now + offering.minNoticeMinutes * minuteMs || dateOf(zone, at, grain) > lastDate) continue
    const span = { startsAt: Instant.make(at), endsAt: Instant.make(endOf(offering, zone, at, length)) }
    if (fits(offering, span, open)) spans.push(span)
  }
  return spans
}

export interface Stretch {
  readonly open: number
  readonly close: number
}

/** Returns the local dates in a range, excluding dates that the zone skipped. */
export const datesShown = (zone: Zone, from: number, to: number): ReadonlyArray<LocalDate.LocalDate> => {
  const dates = new Set<LocalDate.LocalDate>()
  for (let at = from; at < to; at += 30 * minuteMs) dates.add(zone.wallAt(Instant.make(at)).date)
  return [...dates]
}

/**
 * Returns the opening windows. A window continues as long as an entry covers both the previous and the current minute.
 */
export const windowsByMinute = (
  hours: ReadonlyArray<HoursEntry>,
  zone: Zone,
  dates: ReadonlyArray<LocalDate.LocalDate>,
  grainSeconds = 60
): ReadonlyArray<Stretch> => {
  const texts = hours.map(({ date, validFrom, validUntil, ...entry }, at) => ({
    ...entry,
    at,
    only: date === undefined ? undefined : LocalDate.format(date),
    from: validFrom === undefined ? "" : LocalDate.format(validFrom),
    until: validUntil === undefined ? "9999-99-99" : LocalDate.format(validUntil)
  }))
  // Scans are cached, because they are slow and most dates share their entries with another date.
  const scans = new Map<string, ReadonlyArray<Stretch>>()
  return dates.flatMap((date) => {
    const text = LocalDate.format(date)
    const weekly = texts.filter(({ from, only, until, weekday }) =>
      only === undefined && new Date(text).getUTCDay() === weekday && text >= from && text <= until
    )
    const single = texts.filter(({ only }) => only === text)
    const entries = single.length === 0 ? weekly : single
    const name = entries.map(({ at }) => at).join()
    const stretches = scans.get(name) ?? hoursAsOne(entries, grainSeconds)
    scans.set(name, stretches)
    return stretches.flatMap(({ close, open }) => {
      const window = { open: zone.instantAt(date, open), close: zone.instantAt(date, close) }
      return window.open < window.close ? [window] : []
    })
  })
}

/** Merges the entries of a date. The result is in seconds of wall time. */
const hoursAsOne = (
  entries: ReadonlyArray<Pick<HoursEntry, "startTime" | "endTime">>,
  grain: number
): ReadonlyArray<Stretch> => {
  const stretches: Array<{ open: number; close: number }> = []
  for (let at = 0; at < 86_400; at += grain) {
    const covering = entries.filter(({ endTime, startTime }) => startTime <= at && at < endTime)
    const last = stretches.at(-1)
    if (covering.length === 0) continue
    if (last !== undefined && covering.some(({ startTime }) => startTime < at)) last.close = at + grain
    else stretches.push({ open: at, close: at + grain })
  }
  return stretches
}

/** Returns the stretches of consecutive open minutes. */
export const runs = (
  openings: ReadonlyArray<Stretch>,
  from: number,
  to: number,
  grain = minuteMs
): ReadonlyArray<Stretch> => {
  const start = Math.floor(from / grain)
  const isOpen = new Uint8Array(Math.ceil(to / grain) - start + 1)
  for (const { close, open } of openings) {
    for (let at = open / grain; at < close / grain; at++) isOpen[at - start] = 1
  }
  const stretches: Array<{ open: number; close: number }> = []
  isOpen.forEach((open, index) => {
    const at = (start + index) * grain
    const last = stretches.at(-1)
    if (open === 0) return
    if (last?.close === at) last.close = at + grain
    else stretches.push({ open: at, close: at + grain })
  })
  return stretches
}

const fits = ({ kind }: Offering, { endsAt, startsAt }: Span, open: ReadonlyArray<Stretch>): boolean => {
  const run = open.find(({ close, open }) => open <= startsAt && startsAt < close)
  if (run === undefined) return false
  const length = endsAt - startsAt
  return kind === "rental" && length > run.close - run.open ? true : endsAt <= run.close
}

const endOf = ({ kind }: Offering, zone: Zone, startsAt: number, { periodMinutes, periods }: BookingLength): number => {
  if (kind !== "rental" || periodMinutes % 1440 !== 0) return startsAt + periodMinutes * periods * minuteMs
  const { date, millisOfDay } = zone.wallAt(Instant.make(startsAt))
  const days = (periodMinutes / 1440) * periods
  return zone.instantAtWall({ date: LocalDate.addDays(date, days), millisOfDay })
}

/** A date lasts until the next date has started, even if the clocks go back and show the earlier date again. */
const dateOf = (zone: Zone, at: number, grain: number): number => {
  let latest = 0
  for (let before = 0; before <= 3 * 60 * minuteMs; before += 60 * minuteMs) {
    latest = Math.max(latest, zone.wallAt(Instant.make(at - before)).date)
  }
  // Scans the previous hour only if the clocks may have gone back across midnight.
  if (zone.wallAt(Instant.make(at)).millisOfDay < 21 * 3_600_000) return latest
  for (let before = 0; before <= 60 * minuteMs; before += grain) {
    latest = Math.max(latest, zone.wallAt(Instant.make(at - before)).date)
  }
  return latest
}
