/**
 * Limits the seats in bookings from the public page until the guest proves the booking by payment or by opening an
 * emailed link. Without limits, one visitor could book every seat in a season for free.
 *
 * | scope | limit |
 * |---|---|
 * | one network in 24 hours | 6 seats |
 * | one departure | 25 % of its capacity, at least 1 seat |
 *
 * The limits do not apply to a guest who has proven their email address (`EmailProof.ts`). A booking counts against its
 * network for only 24 hours, because thousands of guests can share a mobile carrier's address.
 */
import * as Either from "effect/Either"
import { computePeakWeight, getClaimEnd, makeOccupancy, toClaim } from "../capacity/claims.ts"
import type { Offering } from "../offering/Offering.ts"
import { type Refusal, refuseWithRetryAfter } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"
import type { Booking, Place } from "./Booking.ts"
import { getBookingWeight } from "./checkPlace.ts"

/** The maximum number of unproven seats per network. */
const maxNetworkSeats = 6

/** How long an unproven booking counts against its network. */
const networkHours = 24

/**
 * The share of a departure's capacity that unproven bookings can take. Unproven bookings can always take one seat;
 * otherwise, a departure with few seats could not be booked online.
 */
const maxDepartureShare = 1 / 4

/**
 * The retry delay if waiting for bookings to expire would not free the seats, because the group is too large or because
 * confirmed bookings fill the share. Those bookings stop counting only when a guest opens an email, which cannot be
 * predicted.
 */
const retryMinutes = 60

const computeMaxSeats = (capacity: number) => Math.max(1, Math.floor(capacity * maxDepartureShare))

/** The live unproven bookings that count against a new booking. */
export interface CountedUnprovenBookings {
  readonly ofNetwork: ReadonlyArray<Booking>
  readonly atPlace: ReadonlyArray<Booking>
}

interface UnprovenRequest {
  readonly now: Instant.Instant
  readonly offering: Offering
  readonly session: Session | undefined
  readonly place: Place
  readonly quantity: number
}

/** Returns the earliest creation time at which a booking still counts against its network. */
export const getNetworkLimitStart = (now: Instant.Instant): Instant.Instant =>
  Instant.addMinutes(now, -networkHours * 60)

/**
 * Refuses a booking that exceeds a limit. The refusal contains the number of seconds until enough of the counted
 * bookings expire.
 */
export const checkUnprovenBookingLimits = (
  request: UnprovenRequest,
  { atPlace, ofNetwork }: CountedUnprovenBookings
): Either.Either<void, Refusal<"rate_limited">> => {
  const { now, offering, quantity, session } = request
  const seats = getBookingWeight(offering, quantity)
  const seatsOf = (booking: Booking) => getBookingWeight(offering, booking.quantity)
  // Count the network's earlier bookings by quantity: their weight is unknown, because their offerings are not loaded.
  const networkSeats = ofNetwork.reduce((sum, booking) => sum + booking.quantity, 0)
  if (networkSeats + seats > maxNetworkSeats) {
    const expiryOf = (booking: Booking) =>
      booking.status === "held" ? booking.expiresAt : Instant.addMinutes(booking.createdAt, networkHours * 60)
    return refuseAsLimited(
      findReleaseTime(ofNetwork, networkSeats + seats - maxNetworkSeats, ({ quantity }) => quantity, expiryOf),
      now
    )
  }
  const maxSeats = computeMaxSeats(session?.capacity ?? offering.capacity)
  const placeSeats = session === undefined
    ? computePeakAtPlace(request, atPlace)
    : atPlace.reduce((sum, one) => sum + seatsOf(one), 0)
  if (placeSeats + seats > maxSeats) {
    const expiryOf = (booking: Booking) =>
      booking.status === "held" ? booking.expiresAt : Instant.addMinutes(now, retryMinutes)
    return refuseAsLimited(findReleaseTime(atPlace, placeSeats + seats - maxSeats, seatsOf, expiryOf), now)
  }
  return Either.void
}

const computePeakAtPlace = (
  { offering, place: { endsAt, startsAt } }: UnprovenRequest,
  bookings: ReadonlyArray<Booking>
): number =>
  computePeakWeight(
    makeOccupancy(bookings.map((one) => toClaim(offering, { ...one, bookings: 1 }))),
    startsAt,
    getClaimEnd(offering, endsAt)
  )

/** Returns the time by which enough bookings will have expired to free this many seats. */
const findReleaseTime = (
  bookings: ReadonlyArray<Booking>,
  seats: number,
  seatsOf: (booking: Booking) => number,
  expiryOf: (booking: Booking) => Instant.Instant
): Instant.Instant | undefined => {
  let missingSeats = seats
  for (const booking of bookings.toSorted((a, b) => expiryOf(a) - expiryOf(b))) {
    missingSeats -= seatsOf(booking)
    if (missingSeats <= 0) return expiryOf(booking)
  }
  return undefined
}

const refuseAsLimited = (retryAt: Instant.Instant | undefined, now: Instant.Instant) => {
  const seconds = Math.max(1, Math.ceil(((retryAt ?? Instant.addMinutes(now, retryMinutes)) - now) / 1000))
  return Either.left(refuseWithRetryAfter(seconds, "rate_limited", seconds))
}
