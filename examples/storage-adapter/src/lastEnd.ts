import type { Booking } from "@trailbook/core/booking"
import type { Instant } from "@trailbook/core/time/Instant"

/** Returns the latest expiry among the expired holds. */
export const lastEnd = (bookings: ReadonlyArray<Booking>, now: Instant): Instant | null =>
  bookings
    .flatMap((booking) => booking.status === "held" && booking.expiresAt <= now ? [booking.expiresAt] : [])
    .sort((a, b) => b - a)[0] ?? null
