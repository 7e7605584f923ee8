import type { Booking } from "@trailbook/core/booking/Booking"
import type { Instant } from "@trailbook/core/time/Instant"

/** The latest end of the holds seen so far, once this booking has been seen too. */
export const maxHoldEnd = (latest: Instant | null, booking: Booking): Instant | null =>
  booking.status === "held" && (latest === null || booking.expiresAt > latest) ? booking.expiresAt : latest
