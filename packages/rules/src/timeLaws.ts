/** Laws about when bookings can take place and how long they last. */
import type { BookingView } from "@trailbook/core/booking"
import { getLocalDate } from "@trailbook/core/offering"
import type * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import type { Zone } from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type ExecutedStep, makeStepLaw, type ScenarioLaw } from "./Law.ts"
import { type OfferingWithHours, parseTimestamp, toLocalMoment } from "./World.ts"

interface TakenPlace {
  readonly booking: BookingView
  readonly offering: OfferingWithHours
}

/** Returns the places that new and moved bookings occupied in this step. */
const findTakenPlaces = ({ after, before, outcome }: ExecutedStep): ReadonlyArray<TakenPlace> =>
  outcome._tag !== "Booked" && outcome._tag !== "Moved" ? [] : outcome.requests.flatMap(({ result }) => {
    if (Either.isLeft(result)) return []
    // Use the stored booking instead of the response.
    const booking = after.bookings.find(({ id }) => id === result.right.id)
    const previous = before.bookings.find(({ id }) => id === booking?.id)
    const offering = after.offerings.find(({ id }) => id === booking?.offering_id)
    const isUnmoved = previous !== undefined && previous.starts_at === booking?.starts_at &&
      previous.session_id === booking.session_id
    return booking === undefined || offering === undefined || isUnmoved ? [] : [{ booking, offering }]
  })

const dayMs = 86_400_000

/**
 * Returns the opening interval around a start, with adjacent windows merged. Returns undefined if the offering is
 * closed at the start.
 */
const findOpenInterval = (offering: OfferingWithHours, zone: Zone, start: Instant.Instant, end: Instant.Instant) => {
  const date = getLocalDate(zone, start)
  // Search as many days in both directions as the booking spans, plus one day for windows that start before midnight.
  const dayRange = Math.ceil((end - start) / dayMs) + 1
  const windows = Array.from({ length: 2 * dayRange + 1 }, (_, days) => LocalDate.addDays(date, days - dayRange))
    .flatMap((day) =>
      listHours(offering, day).map(({ end_time, start_time }) => ({
        from: zone.instantAt(day, toSeconds(start_time)),
        to: zone.instantAt(day, toSeconds(end_time))
      }))
    )
  const window = windows.find(({ from, to }) => from <= start && start < to)
  if (window === undefined) return undefined
  // Extend the end by every window that crosses it, regardless of window order.
  const extendEnd = (end: number): number =>
    windows.reduce((end, { from, to }) => from <= end && to > end ? to : end, end)
  const extendStart = (start: number): number =>
    windows.reduce((start, { from, to }) => to >= start && from < start ? from : start, start)
  const extendFully = (end: number, grow: (end: number) => number): number =>
    grow(end) === end ? end : extendFully(grow(end), grow)
  return { from: extendFully(window.from, extendStart), to: extendFully(window.to, extendEnd) }
}

/** Returns the hours that apply to a date. Hours for the date itself replace the weekly hours. */
const listHours = ({ hours }: OfferingWithHours, day: LocalDate.LocalDate): OfferingWithHours["hours"] => {
  const text = LocalDate.format(day)
  const ownHours = hours.filter(({ date }) => date === text)
  return ownHours.length > 0
    ? ownHours
    : hours.filter(({ date, valid_from = text, valid_until = text, weekday }) =>
      date === undefined && weekday === LocalDate.weekday(day) && valid_from <= text && text <= valid_until
    )
}

const toSeconds = (time: string): number => LocalTime.parse(time) ?? 0

const findClosedTimes = ({ booking, offering }: TakenPlace, zone: Zone): ReadonlyArray<string> => {
  const start = parseTimestamp(booking.starts_at)
  const end = parseTimestamp(booking.ends_at)
  const interval = findOpenInterval(offering, zone, start, end)
  if (interval === undefined) {
    return [`"${offering.name}" is closed at ${booking.starts_at}, when booking ${booking.reference} starts.`]
  }
  // If a rental is longer than the opening hours, the outfitter arranges its return.
  const mayEndLater = offering.kind === "rental" && end - start > interval.to - interval.from
  return end <= interval.to || mayEndLater
    ? []
    : [`"${offering.name}" closes before booking ${booking.reference} ends at ${booking.ends_at}.`]
}

const findWrongLength = ({ booking, offering }: TakenPlace, periods: number, zone: Zone): ReadonlyArray<string> => {
  const { duration_minutes: minutes, kind } = offering
  const start = parseTimestamp(booking.starts_at)
  const end = parseTimestamp(booking.ends_at)
  if (kind !== "rental" || minutes % 1440 !== 0) {
    const lasts = (end - start) / 60_000
    return lasts === minutes * periods
      ? []
      : [`Booking ${booking.reference} lasts ${lasts} minutes. Expected ${minutes * periods}.`]
  }
  const date = LocalDate.addDays(zone.dateAt(start), (minutes / 1440) * periods)
  const expectedEnd = zone.instantAt(date, Math.floor(zone.wallAt(start).millisOfDay / 1000))
  const [startTime, endTime] = [start, end].map((instant) => toLocalMoment(zone, instant).time)
  return Math.abs(expectedEnd - end) < 1000
    ? []
    : [`Booking ${booking.reference} starts at ${startTime} and ends at ${endTime}.`]
}

const findOutOfRange = ({ booking, offering }: TakenPlace, zone: Zone, now: Instant.Instant): ReadonlyArray<string> => {
  const start = parseTimestamp(booking.starts_at)
  const minutes = (start - now) / 60_000
  const days = getLocalDate(zone, start) - getLocalDate(zone, now)
  return [
    ...(minutes >= offering.min_notice_minutes
      ? []
      : [
        `"${offering.name}" requires ${offering.min_notice_minutes} minutes of notice but was booked with ${minutes}.`
      ]),
    ...(days <= offering.max_advance_days
      ? []
      : [
        `"${offering.name}" can be booked up to ${offering.max_advance_days} days ahead but was booked ${days} days ahead.`
      ])
  ]
}

export const timeLaws: ReadonlyArray<ScenarioLaw> = [
  makeStepLaw(
    {
      name: "inside opening hours",
      title: "bookings stay within the weekly hours in local time, even on days when the clocks change",
      kinds: ["appointment", "rental"]
    },
    (step, { zone }) =>
      Effect.succeed(
        findTakenPlaces(step).filter(({ offering }) => offering.kind !== "class").flatMap((one) =>
          findClosedTimes(one, zone)
        )
      )
  ),
  makeStepLaw(
    {
      name: "duration",
      title: "a booking lasts for the offering's duration, and a full-day rental starts and ends at the same local time"
    },
    (step, { periodsOf, zone }) =>
      Effect.succeed(findTakenPlaces(step).flatMap((one) => findWrongLength(one, periodsOf(one.booking), zone)))
  ),
  makeStepLaw(
    {
      name: "notice and horizon",
      title: "bookings and moves respect min_notice_minutes and max_advance_days"
    },
    (step, { zone }) =>
      Effect.succeed(findTakenPlaces(step).flatMap((one) => findOutOfRange(one, zone, parseTimestamp(step.after.now))))
  )
]
