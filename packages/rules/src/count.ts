/** Counts occupancy independently, one instant at a time, without using the booking engine's code. */
import type { BookingView } from "@trailbook/core/booking"
import type { OfferingView } from "@trailbook/core/offering"
import { parseTimestamp, type World } from "./World.ts"

/** A place, as it appears in bookings and slots. */
export interface Place {
  readonly starts_at: string
  readonly ends_at: string
  readonly session_id?: string | null
}

/** Describes a place in a violation. */
export const describePlace = ({ ends_at, session_id, starts_at }: Place): string =>
  `${starts_at} to ${ends_at}${typeof session_id === "string" ? ` in ${session_id}` : ""}`

/** Returns the weight of a booking for this quantity: the number of seats or items, or one unit for a party. */
export const getBookingWeight = ({ kind }: OfferingView, quantity: number): number =>
  kind === "appointment" ? 1 : quantity

/** Returns a session's or an offering's capacity. */
export const getPlaceCapacity = (world: World, offering: OfferingView, { session_id }: Place): number =>
  world.sessions.find(({ id }) => id === session_id)?.capacity ?? offering.capacity

/** Returns an offering's occupancy at an instant. Each live booking counts until the end of its buffer. */
export const countClaimedCapacity = (
  offering: OfferingView,
  live: ReadonlyArray<BookingView>,
  instant: number
): number =>
  live
    .filter(({ ends_at, offering_id, starts_at }) =>
      offering_id === offering.id && parseTimestamp(starts_at) <= instant &&
      instant < parseTimestamp(ends_at) + offering.buffer_minutes * 60_000
    )
    .reduce((sum, { quantity }) => sum + getBookingWeight(offering, quantity), 0)

/** Returns the number of occupied seats in a session. */
export const countOccupiedSeats = (live: ReadonlyArray<BookingView>, sessionId: string): number =>
  live.filter(({ session_id }) => session_id === sessionId).reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * Returns the peak occupancy of a place from its start to the end of its buffer. Checks only the starts of bookings,
 * because occupancy cannot increase at any other time.
 */
export const computePeakWeight = (offering: OfferingView, live: ReadonlyArray<BookingView>, place: Place): number => {
  if (typeof place.session_id === "string") return countOccupiedSeats(live, place.session_id)
  const from = parseTimestamp(place.starts_at)
  const until = parseTimestamp(place.ends_at) + offering.buffer_minutes * 60_000
  const starts = live.map(({ starts_at }) => parseTimestamp(starts_at)).filter((start) => start > from && start < until)
  return Math.max(...[from, ...starts].map((instant) => countClaimedCapacity(offering, live, instant)))
}

/** Returns the remaining capacity of a place, optionally excluding one booking. */
export const computeRemainingCapacity = (
  world: World,
  offering: OfferingView,
  place: Place,
  except?: string
): number => {
  const others = world.live.filter(({ id }) => id !== except)
  return Math.max(0, getPlaceCapacity(world, offering, place) - computePeakWeight(offering, others, place))
}
