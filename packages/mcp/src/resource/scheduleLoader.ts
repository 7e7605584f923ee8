/**
 * An outfitter's schedule for a range of local dates: the trips in chronological order, each with its guests. The list
 * operations return the same data, but a single page of their output would fill up a conversation.
 */
import type { Actor } from "@trailbook/core/actor"
import { bookingsList } from "@trailbook/core/booking"
import { offeringsList } from "@trailbook/core/offering"
import { orgGet } from "@trailbook/core/org"
import { sessionsList } from "@trailbook/core/session"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../OperationCaller.ts"
import { formatLocalDay, formatLocalTime } from "../tool/toLocalTimes.ts"

export interface ScheduleTrip {
  readonly time: string
  readonly offering: string
  readonly offering_id: string
  readonly session_id?: string
  /** The number of seats booked in a class session. */
  readonly booked?: number
  readonly capacity?: number
  /** The number of booked seats that are only held. */
  readonly held?: number
  /** The number of seats left. */
  readonly left?: number
  readonly guests: ReadonlyArray<Guest>
}

interface Guest {
  readonly booking_id: string
  readonly reference: string
  readonly quantity: number
  readonly status: string
  /** Set if the guest's bank has disputed the payment. */
  readonly dispute?: string
  readonly guest_wrote: { readonly name: string; readonly notes: string }
}

/** The maximum page size of a list. */
const limit = 500

/** Returns the schedule for `days` local dates, starting at `from` or today. All times in it are local. */
export const makeScheduleLoader = (call: OperationCaller) =>
(
  actor: Actor["Type"],
  { days, from: firstDate }: { readonly days: number; readonly from: LocalDate.LocalDate | undefined }
) =>
  Effect.map(
    loadTrips(call)(actor, { days: () => days, from: firstDate }),
    ({ from, incomplete, now, org, trips, zone }) => ({
      outfitter: org.name,
      timezone: zone.name,
      now: formatLocalTime(zone, now),
      days: Array.from({ length: days }, (_, at) => {
        const date = LocalDate.addDays(from, at)
        const dayTrips = trips.filter(({ startsAt }) => zone.dateAt(startsAt) === date)
        return {
          date: formatLocalDay(date),
          trips: dayTrips.map(({ endsAt, startsAt, trip }) => ({ time: formatSpan(zone, startsAt, endsAt), ...trip }))
        }
      }),
      // The data does not fit on one page.
      ...(incomplete ? { incomplete } : {})
    })
  )

/** Loads the offerings, plus the trips in a range of local dates, each with its guests. */
export const loadTrips = (call: OperationCaller) =>
(
  actor: Actor["Type"],
  { days, from: firstDate }: {
    /** Returns the number of local dates in the range for a given first date. */
    readonly days: (from: LocalDate.LocalDate) => number
    /** Default: today. */
    readonly from: LocalDate.LocalDate | undefined
  }
) =>
  Effect.gen(function*() {
    const org = yield* call(actor, orgGet, {})
    const now = yield* currentTime
    const zone = Zone.get(org.timezone)
    const from = firstDate ?? zone.dateAt(now)
    const range = {
      from: Instant.format(zone.startOf(from)),
      to: Instant.format(zone.startOf(LocalDate.addDays(from, days(from)))),
      limit
    }
    const [offerings, sessions, bookings] = yield* Effect.all([
      call(actor, offeringsList, { limit }),
      call(actor, sessionsList, { ...range, status: "scheduled" }),
      call(actor, bookingsList, range)
    ])
    return {
      org,
      now,
      zone,
      from,
      offerings: offerings.data,
      trips: toTrips({ offerings: offerings.data, sessions: sessions.data, bookings: bookings.data, now }),
      incomplete: [offerings, sessions, bookings].some(({ next_cursor }) => next_cursor !== undefined)
    }
  })

const formatSpan = (zone: Zone.Zone, startsAt: Instant.Instant, endsAt: Instant.Instant): string => {
  const [start, end] = [formatLocalTime(zone, startsAt), formatLocalTime(zone, endsAt)]
  const toTime = (text: string) => text.slice(-"09:00".length)
  return zone.dateAt(startsAt) === zone.dateAt(endsAt)
    ? `${toTime(start)}-${toTime(end)}`
    : `${toTime(start)} until ${end}`
}

interface ScheduleData {
  readonly offerings: ReadonlyArray<{ readonly id: string; readonly name: string; readonly capacity: number }>
  readonly sessions: ReadonlyArray<(typeof sessionsList)["output"]["Type"]["data"][number]>
  readonly bookings: ReadonlyArray<(typeof bookingsList)["output"]["Type"]["data"][number]>
  readonly now: Instant.Instant
}

interface TimedTrip {
  readonly startsAt: Instant.Instant
  readonly endsAt: Instant.Instant
  readonly trip: Omit<ScheduleTrip, "time">
}

/** Returns sessions with their guests, and all other bookings grouped by offering, start, and end. */
const toTrips = ({ bookings, now, offerings, sessions }: ScheduleData): ReadonlyArray<TimedTrip> => {
  const offeringsById = new Map(offerings.map((offering) => [offering.id, offering]))
  // Expired holds occupy no seats.
  const liveBookings = bookings.filter(({ expires_at, status }) =>
    status === "confirmed" || (status === "held" && (expires_at ?? "") > Instant.format(now))
  )
  const classTrips = sessions.map((session) => {
    const offering = offeringsById.get(session.offering_id)
    const capacity = session.capacity ?? offering?.capacity
    const ownBookings = liveBookings.filter(({ session_id }) => session_id === session.id)
    const held = ownBookings.reduce((sum, { quantity, status }) => status === "held" ? sum + quantity : sum, 0)
    return {
      ...parseSpan(session),
      trip: {
        offering: offering?.name ?? "",
        offering_id: session.offering_id,
        session_id: session.id,
        booked: session.booked,
        ...(capacity === undefined ? {} : { capacity, left: Math.max(0, capacity - session.booked) }),
        ...(held === 0 ? {} : { held }),
        guests: ownBookings.map(toGuest)
      }
    }
  })
  const groups = new Map<string, TimedTrip & { readonly trip: { readonly guests: Array<Guest> } }>()
  for (const booking of liveBookings) {
    if (booking.session_id !== null) continue
    const key = `${booking.offering_id} ${booking.starts_at} ${booking.ends_at}`
    const group = groups.get(key)
    if (group !== undefined) group.trip.guests.push(toGuest(booking))
    else {
      groups.set(key, {
        ...parseSpan(booking),
        trip: { offering: booking.offering.name, offering_id: booking.offering_id, guests: [toGuest(booking)] }
      })
    }
  }
  return [...classTrips, ...groups.values()].sort((a, b) => a.startsAt - b.startsAt)
}

const parseSpan = ({ ends_at, starts_at }: { readonly starts_at: string; readonly ends_at: string }) => ({
  startsAt: Instant.parse(starts_at) ?? Instant.min,
  endsAt: Instant.parse(ends_at) ?? Instant.min
})

const toGuest = (booking: ScheduleData["bookings"][number]): Guest => ({
  booking_id: booking.id,
  reference: booking.reference,
  quantity: booking.quantity,
  status: booking.status,
  ...(booking.dispute === null ? {} : { dispute: booking.dispute.status }),
  guest_wrote: { name: booking.customer.name, notes: booking.notes }
})
