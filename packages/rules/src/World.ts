/** The state that a rule receives: the complete state at one instant, as the API returns it. */
import type { BookingView } from "@trailbook/core/booking"
import type { HoursEntryView, OfferingView } from "@trailbook/core/offering"
import type { BookedSessionView } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import type { Zone } from "@trailbook/core/time/Zone"

/** A local date and time at the outfitter. */
export interface LocalMoment {
  /** The date, such as `2027-05-01`. */
  readonly date: string
  /** The time, such as `09:00`, or `09:00:30` if the seconds are not 0. */
  readonly time: string
  /** 0 = Sunday … 6 = Saturday */
  readonly weekday: number
}

/** An offering with its opening hours. Their times have the format of `local`, such as `09:00`. */
export interface OfferingWithHours extends OfferingView {
  /** The weekly hours, some of which may apply only in a season, and the hours of single dates. Empty for a class. */
  readonly hours: ReadonlyArray<HoursEntryView>
}

export interface World {
  /** The current time as a timestamp. */
  readonly now: string
  readonly timezone: string
  readonly offerings: ReadonlyArray<OfferingWithHours>
  readonly sessions: ReadonlyArray<typeof BookedSessionView.Type>
  /** All bookings, in creation order. */
  readonly bookings: ReadonlyArray<BookingView>
  /** The bookings that currently occupy capacity: confirmed, or held and not expired. */
  readonly live: ReadonlyArray<BookingView>
  /** Returns a timestamp's local time. */
  readonly local: (timestamp: string) => LocalMoment
}

/** Parses an API timestamp. */
export const parseTimestamp = (timestamp: string): Instant.Instant => {
  const instant = Instant.parse(timestamp)
  if (instant === undefined) throw new Error(`${timestamp} is not a timestamp.`)
  return instant
}

/** Returns whether a booking occupies capacity at an instant. */
export const isLiveBooking = ({ expires_at, status }: BookingView, now: Instant.Instant): boolean =>
  status === "confirmed" || (status === "held" && expires_at !== null && parseTimestamp(expires_at) > now)

export const make = (
  zone: Zone,
  now: Instant.Instant,
  rows: Pick<World, "offerings" | "sessions" | "bookings">
): World => ({
  ...rows,
  now: Instant.format(now),
  timezone: zone.name,
  live: rows.bookings.filter((booking) => isLiveBooking(booking, now)),
  local: (timestamp) => toLocalMoment(zone, parseTimestamp(timestamp))
})

export const toLocalMoment = (zone: Zone, instant: Instant.Instant): LocalMoment => {
  const { date, millisOfDay } = zone.wallAt(instant)
  return {
    date: LocalDate.format(date),
    time: formatTime(LocalTime.make(Math.floor(millisOfDay / 1000))),
    weekday: LocalDate.weekday(date)
  }
}

/** Formats a time as `09:00`, so that rules can compare it with times in the setup. */
const formatTime = (time: LocalTime.LocalTime): string => LocalTime.format(time).replace(/^(..:..):00$/, "$1")

/** Formats opening hours for rules. */
export const toRuleHours = (hours: ReadonlyArray<HoursEntryView>): OfferingWithHours["hours"] =>
  hours.map(({ end_time, start_time, ...entry }) => ({
    ...entry,
    start_time: normalizeTime(start_time),
    end_time: normalizeTime(end_time)
  }))

const normalizeTime = (time: string): string => {
  const localTime = LocalTime.parse(time)
  return localTime === undefined ? time : formatTime(localTime)
}
