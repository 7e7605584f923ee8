/** Counts occupancy independently: one instant at a time, without code of the booking engine. */
import type { BookingView } from "@trailbook/core/booking/BookingView"
import type { OfferingView } from "@trailbook/core/offering/OfferingView"
import { parseTimestamp, type World } from "./World.ts"

/** A place, as bookings and slots show it. */
export interface Place {
  readonly starts_at: string
  readonly ends_at: string
  readonly session_id?: string | null
}

/** The weight of a booking of this quantity: seats, items, or one place for a party. */
export const bookingWeight = ({ kind }: OfferingView, quantity: number): number => kind === "appointment" ? 1 : quantity

/** The capacity of a session or an offering. */
export const placeCapacity = (world: World, offering: OfferingView, { session_id }: Place): number =>
  world.sessions.find(({ id }) => id === session_id)?.capacity ?? offering.capacity

/** The occupancy of an offering at an instant. Each live booking counts until the end of its buffer. */
export const claimedAt = (offering: OfferingView, live: ReadonlyArray<BookingView>, instant: number): number =>
  live
    .filter(({ ends_at, offering_id, starts_at }) =>
      offering_id === offering.id && parseTimestamp(starts_at) <= instant &&
      instant < parseTimestamp(ends_at) + offering.buffer_minutes * 60_000
    )
    .reduce((sum, { quantity }) => sum + bookingWeight(offering, quantity), 0)

/** The occupied seats of a session. */
export const seatsIn = (live: ReadonlyArray<BookingView>, sessionId: string): number =>
  live.filter(({ session_id }) => session_id === sessionId).reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * The peak occupancy of a place until its buffer ends. The occupancy increases only at the start of a
 * booking, so only those instants are checked.
 */
export const peakWeight = (offering: OfferingView, live: ReadonlyArray<BookingView>, place: Place): number => {
  if (typeof place.session_id === "string") return seatsIn(live, place.session_id)
  const from = parseTimestamp(place.starts_at)
  const until = parseTimestamp(place.ends_at) + offering.buffer_minutes * 60_000
  const starts = live.map(({ starts_at }) => parseTimestamp(starts_at)).filter((start) => start > from && start < until)
  return Math.max(...[from, ...starts].map((instant) => claimedAt(offering, live, instant)))
}

/** The remaining capacity of a place, optionally excluding one booking. */
export const roomIn = (world: World, offering: OfferingView, place: Place, except?: string): number => {
  const others = world.live.filter(({ id }) => id !== except)
  return Math.max(0, placeCapacity(world, offering, place) - peakWeight(offering, others, place))
}
