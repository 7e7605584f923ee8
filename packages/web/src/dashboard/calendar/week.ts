/** Lays out departures in columns by the org's local time. Overlapping departures appear side by side. */
import type { DepartureView } from "@trailbook/core/booking"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Zone } from "@trailbook/core/time/Zone"

/** The position in a day column: local minutes since midnight, the lane, and the number of lanes. */
export interface LaneBox {
  readonly from: number
  readonly to: number
  readonly lane: number
  readonly lanes: number
}

export interface CalendarDay {
  readonly date: string
  readonly all: ReadonlyArray<DepartureView>
  readonly boxes: ReadonlyArray<LaneBox & { readonly departure: DepartureView }>
}

/** The minimum height in minutes. Shorter departures would be unreadable. */
const minHeightMinutes = 40

/** The height in minutes of departures that end on another day. */
const multiDayMinutes = 90

const minutesPerDay = 1440

/** Returns the first day of the week that contains the date. */
export const getWeekStart = (date: LocalDate.LocalDate, weekBegins: 0 | 1): LocalDate.LocalDate =>
  LocalDate.addDays(date, -((LocalDate.weekday(date) - weekBegins + 7) % 7))

/** Lays out the days, starting with `first`. A departure appears on the day it starts. */
export const toCalendarDays = (
  departures: ReadonlyArray<DepartureView>,
  first: LocalDate.LocalDate,
  zone: Zone,
  days = 7
): ReadonlyArray<CalendarDay> => {
  const placements = departures.map((departure) => ({ departure, ...toPlacement(departure, zone) }))
  return Array.from({ length: days }, (_, at) => {
    const date = LocalDate.addDays(first, at)
    const dayDepartures = placements.filter((one) => one.date === date)
    return {
      date: LocalDate.format(date),
      all: dayDepartures.map(({ departure }) => departure),
      boxes: assignLanes(dayDepartures)
    }
  })
}

const toPlacement = ({ ends_at, starts_at }: DepartureView, zone: Zone) => {
  const { date, millisOfDay } = zone.wallAt(Instant.make(Date.parse(starts_at)))
  const end = zone.wallAt(Instant.make(Date.parse(ends_at)))
  const start = Math.floor(millisOfDay / 60_000)
  const from = Math.min(start, minutesPerDay - minHeightMinutes)
  // Multi-day departures all have the same height, and their text shows the end time.
  const to = end.date > date ? from + multiDayMinutes : Math.ceil(end.millisOfDay / 60_000)
  // When the clocks go back, the local end time can precede the local start time.
  return { date, from, to: Math.min(minutesPerDay, Math.max(to, from + minHeightMinutes)) }
}

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Assigns lanes by start time and then by length, longest first. Departures that overlap, directly or through other
 * departures, share the column's width, with as few lanes as possible.
 */
export const assignLanes = <Item extends Span>(spans: ReadonlyArray<Item>): ReadonlyArray<Item & LaneBox> => {
  const clusters: Array<Array<Item>> = []
  let clusterEnd = 0
  for (const one of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = clusters.at(-1)
    if (last === undefined || one.from >= clusterEnd) clusters.push([one])
    else last.push(one)
    clusterEnd = Math.max(clusterEnd, one.to)
  }
  return clusters.flatMap((cluster) => {
    const laneEnds: Array<number> = []
    const boxes = cluster.map((one) => {
      const freeLane = laneEnds.findIndex((end) => end <= one.from)
      const lane = freeLane === -1 ? laneEnds.length : freeLane
      laneEnds[lane] = one.to
      return { lane, ...one }
    })
    return boxes.map((one) => ({ lanes: laneEnds.length, ...one }))
  })
}

/** Returns the visible hours: the working day, extended to include any departures outside it. */
export const computeVisibleHours = (
  days: ReadonlyArray<CalendarDay>
): { readonly first: number; readonly last: number } => {
  const boxes = days.flatMap(({ boxes }) => boxes)
  return {
    first: Math.min(7, ...boxes.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(19, ...boxes.map(({ to }) => Math.ceil(to / 60)))
  }
}
