/**
 * Attendance: whether a booking's guests arrived.
 *
 * A tap is one press of "Check in", "No-show", or "Undo" by a staff member or a program. Taps are ordered by the time
 * they were made, even if they arrive in a different order. A phone at the river sends its taps only once it is back
 * online. The greatest tap therefore determines the state. Taps are compared by time first. At equal times, checked in
 * is greater than no-show, and no-show is greater than cleared. If the kinds are equal too, the number of arrivals
 * breaks the tie, and then the actor. A move, a cancellation, or a confirmation voids all earlier taps.
 */
import * as Either from "effect/Either"
import type { Recorder } from "../../actor/Actor.ts"
import { invalid, type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"
import type { Zone } from "../../time/Zone.ts"
import type { Booking } from "../Booking.ts"

export const attendanceStatuses = ["checked_in", "no_show"] as const

export interface Attendance {
  readonly status: (typeof attendanceStatuses)[number]
  /** The number of people who arrived. 0 for a no-show. */
  readonly arrived: number
  /** When the attendance was recorded, by the device clock. */
  readonly at: Instant.Instant
  readonly by: Recorder
}

export interface AttendanceChange {
  readonly kind: Attendance["status"] | "cleared"
  /** The number of people who arrived. Undefined means everyone in the booking. Used only for a check-in. */
  readonly arrived?: number | undefined
  /** When the tap was made. Undefined means now. */
  readonly at: Instant.Instant | undefined
  readonly by: Recorder
}

/** The attendance after a tap, and the time of the tap. */
export interface AttendanceChangeResult {
  readonly attendance: Attendance | null
  readonly at: Instant.Instant
}

export type AttendanceRefusal = Refusal<"booking_held" | "booking_cancelled" | "too_early" | "invalid_request">

/** The maximum age of an accepted tap. */
export const maxAttendanceAgeHours = 72

/**
 * Returns the time to record for a change that the server makes now. It is always later than the last change, even if
 * clocks differ.
 */
export const computeNextAttendanceTime = (
  { tapsFrom }: Pick<Booking, "tapsFrom">,
  now: Instant.Instant
): Instant.Instant => Instant.make(Math.max(now, tapsFrom + 1))

/**
 * Returns the earliest time at which guests can be checked in: midnight on the start date, or 12 hours before the start
 * if that is earlier.
 */
export const getCheckInOpenTime = ({ startsAt }: Pick<Booking, "startsAt">, zone: Zone): Instant.Instant =>
  Instant.make(Math.min(zone.startOf(zone.dateAt(startsAt)), Instant.addMinutes(startsAt, -12 * 60)))

/** Decides a tap by the rules that applied when the tap was made. Returns undefined if a later change voids the tap. */
export const decideAttendance = (
  booking: Booking,
  tap: AttendanceChange,
  { now, zone }: { readonly now: Instant.Instant; readonly zone: Zone }
): Either.Either<AttendanceChangeResult | undefined, AttendanceRefusal> => {
  const at = tap.at === undefined ? computeNextAttendanceTime(booking, now) : Instant.make(Math.min(tap.at, now))
  const arrivedGuests = tap.kind === "checked_in" ? tap.arrived ?? booking.quantity : 0
  if (at < Instant.addMinutes(now, -maxAttendanceAgeHours * 60)) {
    return Either.left(invalid(`at: must be at most ${maxAttendanceAgeHours} hours ago`))
  }
  if (arrivedGuests > booking.quantity) {
    return Either.left(invalid(`arrived: must be at most ${booking.quantity}, the booking's quantity`))
  }
  if (at < booking.tapsFrom) return Either.right(undefined)
  if (booking.status === "held") return Either.left(refuse("booking_held"))
  if (booking.status === "cancelled") return Either.left(refuse("booking_cancelled"))
  const opensAt = tap.kind === "no_show" ? booking.startsAt : getCheckInOpenTime(booking, zone)
  if (at < opensAt) {
    const clause = tap.kind === "no_show" ? "No-shows can be recorded" : "Check-in opens"
    return Either.left(refuse("too_early", `${clause} at ${Instant.format(opensAt)}.`))
  }
  const attendance = tap.kind === "cleared" ? null : { status: tap.kind, arrived: arrivedGuests, at, by: tap.by }
  const isEffective = at > booking.tapsFrom || replacesAttendance(attendance, booking.attendance)
  return Either.right(isEffective ? { attendance, at } : undefined)
}

/** Returns whether the result of one tap replaces the result of another tap made at the same time. */
const replacesAttendance = (one: Attendance | null, other: Attendance | null): boolean => {
  if (one === null || other === null) return one !== null
  if (one.status !== other.status) return one.status === "checked_in"
  return one.arrived === other.arrived ? actorKey(one) > actorKey(other) : one.arrived > other.arrived
}

const actorKey = ({ by: { id, kind, name } }: Attendance): string => `${kind} ${id} ${name}`
