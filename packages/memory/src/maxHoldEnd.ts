import type { Booking } from "@trailbook/core/booking/Booking"
import type { Instant } from "@trailbook/core/time/Instant"

/** Returns the later of `latest` and the expiry of this booking, if it is a hold. */
export const maxHoldEnd = (latest: Instant | null, booking: Booking): Instant | null =>
  booking.status === "held" && (latest === null || booking.expiresAt > latest) ? booking.expiresAt : latest
