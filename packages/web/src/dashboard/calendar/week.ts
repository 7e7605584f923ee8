/** Where the departures of a week stand in its grid: by the clocks of the org, side by side where they overlap. */
import type { DepartureView } from "@trailbook/core/booking/departureOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Zone } from "@trailbook/core/time/Zone"

/** Something in a column: minutes by the clock since midnight, and which of how many lanes. */
export interface Box {
  readonly from: number
  readonly to: number
  readonly lane: number
  readonly lanes: number
}

export interface Day {
  readonly date: string
  readonly all: ReadonlyArray<DepartureView>
  readonly boxes: ReadonlyArray<Box & { readonly departure: DepartureView }>
  /** Where more overlap than a column has lanes for: one list of them. */
  readonly crowds: ReadonlyArray<Box & { readonly departures: ReadonlyArray<DepartureView>; readonly hidden: number }>
}

/** A column is too narrow for more beside each other. */
const mostLanes = 2

/** How long a list of a crowd is for each of its lines. */
const minutesPerLine = 50

/** What is shorter cannot be read. */
const leastMinutes = 40

/** What ends on another day. */
const minutesOfDays = 90

const minutesPerDay = 1440

/** The first day of the week that a date is in. */
export const weekStart = (date: LocalDate.LocalDate, weekBegins: 0 | 1): LocalDate.LocalDate =>
  LocalDate.addDays(date, -((LocalDate.weekday(date) - weekBegins + 7) % 7))

/** The seven days from `first` on. What ends on another day stands on the day of its start, down to its end. */
export const toDays = (
  departures: ReadonlyArray<DepartureView>,
  first: LocalDate.LocalDate,
  zone: Zone
): ReadonlyArray<Day> => {
  const placed = departures.map((departure) => ({ departure, ...spanOf(departure, zone) }))
  return Array.from({ length: 7 }, (_, at) => {
    const date = LocalDate.addDays(first, at)
    const own = placed.filter((one) => one.date === date)
    return { date: LocalDate.format(date), all: own.map(({ departure }) => departure), ...lanesOf(own) }
  })
}

const spanOf = ({ ends_at, starts_at }: DepartureView, zone: Zone) => {
  const { date, millisOfDay } = zone.wallAt(Instant.make(Date.parse(starts_at)))
  const end = zone.wallAt(Instant.make(Date.parse(ends_at)))
  const start = Math.floor(millisOfDay / 60_000)
  const from = Math.min(start, minutesPerDay - leastMinutes)
  // What is out for days is a departure like others: it says itself when it is back.
  const to = end.date > date ? from + minutesOfDays : Math.ceil(end.millisOfDay / 60_000)
  // Where the clocks go back something may end before it begins, by the clock.
  return { date, from, to: Math.min(minutesPerDay, Math.max(to, from + leastMinutes)) }
}

interface Placed {
  readonly departure: DepartureView
  readonly from: number
  readonly to: number
}

/** What overlaps, whether directly or by way of others, shares the width of the column. */
const lanesOf = (placed: ReadonlyArray<Placed>): Pick<Day, "boxes" | "crowds"> => {
  const clusters: Array<Array<Placed>> = []
  let end = 0
  for (const one of placed.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = clusters.at(-1)
    if (last === undefined || one.from >= end) clusters.push([one])
    else last.push(one)
    end = Math.max(end, one.to)
  }
  const laid = clusters.map(laidOut)
  return { boxes: laid.flatMap(({ boxes }) => boxes), crowds: laid.flatMap(({ crowds }) => crowds) }
}

const laidOut = (cluster: ReadonlyArray<Placed>): Pick<Day, "boxes" | "crowds"> => {
  const ends: Array<number> = []
  const laned = cluster.map((one) => {
    const free = ends.findIndex((end) => end <= one.from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = one.to
    return { ...one, lane }
  })
  if (ends.length <= mostLanes) return { boxes: laned.map((one) => ({ ...one, lanes: ends.length })), crowds: [] }
  const from = Math.min(...cluster.map(({ from }) => from))
  const to = Math.max(...cluster.map(({ to }) => to))
  const lines = Math.max(1, Math.floor((to - from) / minutesPerLine))
  // The last line says how many there are beside those named.
  const named = cluster.length <= lines ? cluster.length : lines - 1
  const departures = cluster.slice(0, named).map(({ departure }) => departure)
  return { boxes: [], crowds: [{ from, to, lane: 0, lanes: 1, departures, hidden: cluster.length - named }] }
}

/** The hours that the grid shows: the working day, and whatever lies outside of it. */
export const visibleHours = (days: ReadonlyArray<Day>): { readonly first: number; readonly last: number } => {
  const boxes = days.flatMap(({ boxes, crowds }) => [...boxes, ...crowds])
  return {
    first: Math.min(7, ...boxes.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(19, ...boxes.map(({ to }) => Math.ceil(to / 60)))
  }
}
