/**
 * Computes the sold and offered capacity by offering, weekday, and time. The capacity of a class is the number of seats
 * in its scheduled sessions. The capacity of any other offering is its open minutes, excluding closures, multiplied by
 * its units.
 */
import * as Schema from "effect/Schema"
import { getBookingWeight } from "../booking/checkPlace.ts"
import { type Closure, toClosureSpan } from "../offering/closure/Closure.ts"
import { listOpeningWindows } from "../offering/listOpeningWindows.ts"
import type { Span } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView } from "../offering/OfferingView.ts"
import type { BookedSession } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as LocalTime from "../time/LocalTime.ts"
import type { Zone } from "../time/Zone.ts"
import { withDescription } from "../wire/Field.ts"
import { Integer } from "../wire/View.ts"
import { compareStrings, RowsByKey } from "./reportPeriod.ts"
import type { ReportBooking } from "./ReportStore.ts"

export const occupancyUnits = ["places", "minutes"] as const

export const OccupancyRow = Schema.Struct({
  offering: withDescription("the offering", OfferingView.pick("id", "name")),
  weekday: withDescription("0 is Sunday, 6 is Saturday", Integer, 6),
  start_time: withDescription("the local start time of the departures or opening hours", Schema.String, "09:00:00"),
  starts: withDescription("the number of departures, or the number of dates with these hours", Integer, 4),
  unit: withDescription(
    "places (seats) for classes, or minutes for other kinds",
    Schema.Literal(...occupancyUnits)
  ),
  sold: withDescription("confirmed seats, or booked minutes", Integer, 41),
  offered: withDescription("the offered capacity in the same unit", Integer, 56)
}).annotations({ identifier: "OccupancyRow" })
export type OccupancyRow = typeof OccupancyRow.Type

/** The first and last local date of a report, inclusive. */
export interface ReportDateRange {
  readonly first: LocalDate.LocalDate
  readonly last: LocalDate.LocalDate
  readonly zone: Zone
}

interface Sum {
  readonly offering: Offering
  readonly weekday: number
  readonly second: number
  starts: number
  sold: number
  offered: number
}

export class OccupancyReport {
  readonly #rows = new RowsByKey<Sum>()
  readonly #dates: ReportDateRange
  constructor(dates: ReportDateRange) {
    this.#dates = dates
  }

  /** Adds a scheduled session. `heldSeats` is the number of booked seats that belong to holds. */
  addSession(offering: Offering, { booked, session }: BookedSession, heldSeats: number): void {
    const row = this.#rowOf(offering, session.startsAt)
    row.starts++
    row.sold += booked - heldSeats
    row.offered += session.capacity ?? offering.capacity
  }

  /**
   * Adds the open hours of an appointment or rental. `bookings` contains the offering's confirmed bookings that overlap
   * the dates.
   */
  addHours(offering: Offering, closures: ReadonlyArray<Closure>, bookings: ReadonlyArray<ReportBooking>): void {
    const { first, last, zone } = this.#dates
    const closedTimes = closures
      .filter(({ offeringId }) => offeringId === null || offeringId === offering.id)
      .flatMap((closure) => closedSpans(closure, this.#dates))
    const sortedBookings = bookings.toSorted((a, b) => a.startsAt - b.startsAt)
    const longestMs = sortedBookings.reduce((max, { endsAt, startsAt }) => Math.max(max, endsAt - startsAt), 0)
    for (const { close, open } of listOpeningWindows(offering.hours, zone, first, last)) {
      const openSpans = subtract({ startsAt: open, endsAt: close }, closedTimes)
      if (openSpans.length === 0) continue
      const row = this.#rowOf(offering, open)
      row.starts++
      for (const part of openSpans) row.offered += toMinutes(part) * offering.capacity
      for (
        let at = findFirstIndex(sortedBookings, open - longestMs);
        (sortedBookings[at]?.startsAt ?? Infinity) < close;
        at++
      ) {
        const booking = sortedBookings[at]
        if (booking === undefined) break
        for (const part of openSpans) {
          row.sold += overlapMinutes(part, booking) * getBookingWeight(offering, booking.quantity)
        }
      }
    }
  }

  /** The rows, sorted by offering, weekday from Monday, and time. */
  get rows(): ReadonlyArray<OccupancyRow> {
    const fromMonday = (weekday: number) => (weekday + 6) % 7
    return this.#rows
      .sorted((a, b) =>
        compareStrings(a.offering.name, b.offering.name) || compareStrings(a.offering.id, b.offering.id) ||
        fromMonday(a.weekday) - fromMonday(b.weekday) || a.second - b.second
      )
      .map(({ offered, offering: { id, kind, name }, second, sold, starts, weekday }) => ({
        offering: { id, name },
        weekday,
        start_time: LocalTime.format(LocalTime.make(second)),
        starts,
        unit: kind === "class" ? "places" : "minutes",
        sold: Math.round(sold),
        offered: Math.round(offered)
      }))
  }

  #rowOf(offering: Offering, startsAt: Instant): Sum {
    const { date, millisOfDay } = this.#dates.zone.wallAt(startsAt)
    const weekday = LocalDate.weekday(date)
    const second = Math.floor(millisOfDay / 60_000) * 60
    return this.#rows.get(`${offering.id} ${weekday} ${second}`, () => ({
      offering,
      weekday,
      second,
      starts: 0,
      sold: 0,
      offered: 0
    }))
  }
}

/** Returns a closure's closed spans: one span for entire days, otherwise one span per date. */
const closedSpans = (closure: Closure, { first, last, zone }: ReportDateRange): ReadonlyArray<Span> => {
  const { endTime, fromDate, startTime, toDate } = closure
  if (startTime === null || endTime === null) {
    const { from, to } = toClosureSpan(closure, zone)
    return [{ startsAt: from, endsAt: to }]
  }
  const from = Math.max(fromDate, first)
  return Array.from({ length: Math.max(0, Math.min(toDate, last) - from + 1) }, (_, day) => {
    const date = LocalDate.make(from + day)
    return { startsAt: zone.instantAt(date, startTime), endsAt: zone.instantAt(date, endTime) }
  })
}

/**
 * Returns the parts of a span outside the closed spans. Filtering first keeps this fast when there are many closures.
 */
const subtract = (span: Span, closedTimes: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  closedTimes
    .filter(({ endsAt, startsAt }) => startsAt < span.endsAt && endsAt > span.startsAt)
    .reduce<ReadonlyArray<Span>>(
      (parts, { endsAt, startsAt }) =>
        parts.flatMap((part) =>
          startsAt >= part.endsAt || endsAt <= part.startsAt ? [part] : [
            ...(startsAt > part.startsAt ? [{ startsAt: part.startsAt, endsAt: startsAt }] : []),
            ...(endsAt < part.endsAt ? [{ startsAt: endsAt, endsAt: part.endsAt }] : [])
          ]
        ),
      [span]
    )

const toMinutes = ({ endsAt, startsAt }: Span): number => (endsAt - startsAt) / 60_000

/** Returns a booking's minutes within a span. */
const overlapMinutes = (span: Span, { endsAt, startsAt }: Span): number =>
  Math.max(0, Math.min(span.endsAt, endsAt) - Math.max(span.startsAt, startsAt)) / 60_000

/** Returns the index of the first booking that starts at or after a time. */
const findFirstIndex = (bookings: ReadonlyArray<Span>, time: number): number => {
  let [low, high] = [0, bookings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bookings[middle]?.startsAt ?? Infinity) < time) low = middle + 1
    else high = middle
  }
  return low
}
