/**
 * Computes the possible start times and durations of appointments and rentals. The functions are pure: the offering,
 * the time zone, and the current time are arguments. Capacity is checked separately (`capacity`).
 *
 * - The first start of a window is its opening. Further starts follow every `slotIntervalMinutes`, or back to back
 *   (duration plus buffer), as long as they are inside the window. Bookings make starts unavailable, but never move the
 *   grid.
 * - An appointment lasts for the offering's duration. A rental period of whole days lasts the same number of calendar
 *   days and ends at the same wall time. Any other period is measured in elapsed time (1.5).
 * - An appointment must be inside one merged window. The same rule applies to a rental that is no longer than its
 *   window. A longer rental only needs to start inside a window (1.6).
 * - A start must be at or after `now + notice`. The local date of the start must be at most `maxAdvanceDays` after
 *   today (1.7).
 */
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { addLocalDays, type Zone } from "../time/Zone.ts"
import { listOpeningWindows, mergeWindows, type OpeningWindow } from "./listOpeningWindows.ts"
import type { Offering, OfferingKind } from "./Offering.ts"

/** A time span from `startsAt` until just before `endsAt`. */
export interface Span {
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
}

const minuteMs = 60_000
const minutesPerDay = 1440

/** A length, as a number of periods and their duration. Only rentals have more than one period. */
export interface BookingLength {
  readonly periodMinutes: number
  readonly periods: number
}

/**
 * Returns the bookable spans of the requested length that start in `[from, to)`, ordered by start. Returns an empty
 * list for a class, because classes have sessions instead.
 */
export const listSlots = (query: {
  readonly offering: Offering
  readonly zone: Zone
  readonly now: Instant.Instant
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly length: BookingLength
}): ReadonlyArray<Span> => {
  const { length, now, offering, zone } = query
  const bookableRange = getBookableWindow(offering, zone, now)
  const from = Math.max(query.from, bookableRange.from)
  const to = Math.min(query.to, bookableRange.before)
  if (from >= to || offering.kind === "class") return []

  // Include one extra date at each end, because a window can extend past midnight.
  const first = LocalDate.addDays(zone.dateAt(Instant.make(from)), -1)
  const last = LocalDate.addDays(zone.dateAt(Instant.make(to)), 1)
  const starts = gridStarts(listOpeningWindows(offering.hours, zone, first, last), getStepMs(offering), from, to)
  if (starts.length === 0) return []

  // Whether a span fits can depend on windows up to one span length away, in either direction.
  const reachDays = Math.ceil((length.periodMinutes * length.periods) / minutesPerDay) + 1
  const nearbyWindows = mergeWindows(
    listOpeningWindows(offering.hours, zone, LocalDate.addDays(first, -reachDays), LocalDate.addDays(last, reachDays))
  )
  const spans: Array<Span> = []
  let at = 0
  for (const startsAt of starts) {
    while ((nearbyWindows[at]?.close ?? Infinity) <= startsAt) at++
    const window = nearbyWindows[at]
    const endsAt = computeSlotEnd(offering.kind, zone, startsAt, length)
    // An end after the maximum instant could be returned but never parsed back.
    if (endsAt > Instant.max) break
    if (window !== undefined && fits(offering.kind, window, startsAt, endsAt)) spans.push({ startsAt, endsAt })
  }
  return spans
}

/** Returns the end of a booking with this start. */
export const computeSlotEnd = (
  kind: OfferingKind,
  zone: Zone,
  startsAt: Instant.Instant,
  { periodMinutes, periods }: BookingLength
): Instant.Instant => {
  const minutes = periodMinutes * periods
  return kind === "rental" && periodMinutes % minutesPerDay === 0
    ? addLocalDays(zone, startsAt, minutes / minutesPerDay)
    : Instant.addMinutes(startsAt, minutes)
}

/**
 * Returns the notice and the horizon as instants. Starts in `[from, before)` are bookable at `now`. The limits also
 * apply to classes.
 */
export const getBookableWindow = (
  offering: Pick<Offering, "minNoticeMinutes" | "maxAdvanceDays">,
  zone: Zone,
  now: Instant.Instant
): { readonly from: Instant.Instant; readonly before: Instant.Instant } => ({
  from: Instant.addMinutes(now, offering.minNoticeMinutes),
  before: zone.startOf(LocalDate.addDays(getLocalDate(zone, now), offering.maxAdvanceDays + 1))
})

/**
 * Returns the local date at a time. A date ends when the next date starts, even if clocks go back over midnight and
 * show the earlier date again.
 */
export const getLocalDate = (zone: Zone, now: Instant.Instant): LocalDate.LocalDate => {
  const date = zone.dateAt(now)
  const next = LocalDate.addDays(date, 1)
  return zone.startOf(next) <= now ? next : date
}

const getStepMs = ({ bufferMinutes, durationMinutes, slotIntervalMinutes }: Offering): number =>
  (slotIntervalMinutes ?? durationMinutes + bufferMinutes) * minuteMs

/** Returns the distinct starts of all windows in `[from, to)`, in ascending order. */
const gridStarts = (
  windows: ReadonlyArray<OpeningWindow>,
  step: number,
  from: number,
  to: number
): ReadonlyArray<Instant.Instant> => {
  const starts: Array<Instant.Instant> = []
  let isSorted = true
  for (const { close, open } of windows) {
    const until = Math.min(close, to)
    for (let at = open + Math.max(0, Math.ceil((from - open) / step)) * step; at < until; at += step) {
      isSorted &&= at > (starts.at(-1) ?? -1)
      starts.push(Instant.make(at))
    }
  }
  // Windows overlap only around clock changes; otherwise, the starts are already sorted.
  return isSorted ? starts : [...new Set(starts)].sort((a, b) => a - b)
}

const fits = (kind: "appointment" | "rental", window: OpeningWindow, startsAt: number, endsAt: number): boolean =>
  endsAt <= window.close || (kind === "rental" && endsAt - startsAt > window.close - window.open)
