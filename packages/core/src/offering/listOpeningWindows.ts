/**
 * Computes opening windows. For each local date, an hours entry opens at its start wall time and closes at its end wall
 * time, converted by the zone's rules. `24:00` is the next local midnight. Overlapping entries for a date are merged.
 * Adjacent entries stay separate, each with its own slot grid. Empty windows, and dates that the zone skipped, are
 * omitted.
 */
import type { Instant } from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { LocalTime } from "../time/LocalTime.ts"
import type { Zone } from "../time/Zone.ts"
import type { HoursEntry } from "./Offering.ts"

/** A window that is open from `open` until just before `close`. */
export interface OpeningWindow {
  readonly open: Instant
  readonly close: Instant
}

/** Returns the windows on the local dates `first` to `last`, inclusive, ordered by opening. */
export const listOpeningWindows = (
  hours: ReadonlyArray<HoursEntry>,
  zone: Zone,
  first: LocalDate.LocalDate,
  last: LocalDate.LocalDate
): ReadonlyArray<OpeningWindow> => {
  const windows: Array<OpeningWindow> = []
  for (let date = first; date <= last; date = LocalDate.addDays(date, 1)) {
    const entries = selectEntries(hours, date)
    if (entries.length === 0 || zone.startOf(date) === zone.startOf(LocalDate.addDays(date, 1))) continue
    for (const { from, to } of mergeEntries(entries)) {
      const open = zone.instantAt(date, from)
      const close = zone.instantAt(date, to)
      if (open < close) windows.push({ open, close })
    }
  }
  return windows.sort((a, b) => a.open - b.open || a.close - b.close)
}

/** Merges adjacent and overlapping windows to check whether a booking fits. */
export const mergeWindows = (windows: ReadonlyArray<OpeningWindow>): ReadonlyArray<OpeningWindow> => {
  const mergedWindows: Array<OpeningWindow> = []
  for (const window of windows) {
    const last = mergedWindows.at(-1)
    if (last === undefined || window.open > last.close) mergedWindows.push(window)
    else if (window.close > last.close) {
      mergedWindows[mergedWindows.length - 1] = { open: last.open, close: window.close }
    }
  }
  return mergedWindows
}

/**
 * Returns the entries that apply to a date. Entries for the date itself replace the weekly entries, and entries for
 * other seasons are skipped.
 */
const selectEntries = (hours: ReadonlyArray<HoursEntry>, date: LocalDate.LocalDate): ReadonlyArray<HoursEntry> => {
  const dateEntries = hours.filter((entry) => entry.date === date)
  if (dateEntries.length > 0) return dateEntries
  const weekday = LocalDate.weekday(date)
  return hours.filter((entry) =>
    entry.date === undefined && entry.weekday === weekday && (entry.validFrom ?? date) <= date &&
    date <= (entry.validUntil ?? date)
  )
}

const mergeEntries = (
  entries: ReadonlyArray<HoursEntry>
): ReadonlyArray<{ readonly from: LocalTime; readonly to: LocalTime }> => {
  const spans: Array<{ from: LocalTime; to: LocalTime }> = []
  for (
    const { endTime, startTime } of [...entries].sort((a, b) => a.startTime - b.startTime || a.endTime - b.endTime)
  ) {
    const last = spans.at(-1)
    if (last === undefined || startTime >= last.to) spans.push({ from: startTime, to: endTime })
    else if (endTime > last.to) last.to = endTime
  }
  return spans
}
