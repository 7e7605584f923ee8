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

interface Span {
  readonly starts_at: string
  readonly ends_at: string
}

/** Formats a date, such as `Saturday, May 1, 2027`. */
export const formatStartDate = ({ format }: OrgRenderContext, { starts_at }: Span): string => format.longDay(starts_at)

/** Formats a time span, such as `9:00 AM – 1:00 PM MDT`, with the end date if it differs. */
export const formatTimesWithZone = ({ format }: OrgRenderContext, { ends_at, starts_at }: Span): string => {
  const isOneDay = format.localDate(starts_at) === format.localDate(ends_at)
  const end = isOneDay ? format.time(ends_at) : `${format.day(ends_at)}, ${format.time(ends_at)}`
  return `${format.time(starts_at)} – ${end} ${format.zone(ends_at)}`
}

/** Formats an instant, such as `Sat, May 1, 9:00 AM MDT`. */
export const formatMomentWithZone = ({ format }: OrgRenderContext, instant: string): string =>
  `${format.day(instant)}, ${format.time(instant)} ${format.zone(instant)}`

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
