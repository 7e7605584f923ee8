/** Derived values for the views of a guest's booking page. */
import type { GuestPageView } from "@trailbook/core/operation"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/** The state of a booking as shown to the guest. */
export type BookingState = "toPay" | "toConfirm" | "held" | "lapsed" | "booked" | "running" | "over" | "cancelled"

export const getBookingState = ({ booking, email_due, now, payment_due }: GuestPageView): BookingState => {
  if (booking.status === "cancelled") return "cancelled"
  if (booking.status === "held") {
    if (booking.expires_at === null || booking.expires_at <= now) return "lapsed"
    if (payment_due) return "toPay"
    return email_due ? "toConfirm" : "held"
  }
  if (booking.ends_at <= now) return "over"
  return booking.starts_at <= now ? "running" : "booked"
}

/** Returns a hold's remaining time in milliseconds, according to the server's clock. */
export const getRemainingHoldMs = ({ booking, now }: GuestPageView): number =>
  booking.expires_at === null ? 0 : Math.max(0, Date.parse(booking.expires_at) - Date.parse(now))

/** Formats a time span, such as `Saturday, May 1, 2027, 9:00 AM – 1:00 PM MDT`, with the end date if it differs. */
export const formatDates = (
  { format }: OrgRenderContext,
  span: { readonly starts_at: string; readonly ends_at: string }
): string => `${format.longDay(span.starts_at)}, ${format.timesWithZone(span)}`

/** Formats a booking's duration, such as `4 hours`, `1 day`, `90 minutes`, or `3 × 1 day`. */
export const formatBookingDuration = (
  { format, text: { guest } }: OrgRenderContext,
  { offering, periods }: GuestPageView
): string => {
  const minutes = offering.duration_minutes
  const one = minutes % 1440 === 0
    ? guest.days(minutes / 1440)
    : minutes % 30 === 0
    ? guest.hours(format.number(minutes / 60))
    : guest.minutes(minutes)
  return periods === 1 ? one : guest.periods(format.number(periods), one)
}
