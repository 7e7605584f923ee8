/**
 * The refusals of bookings (decisions 5.1, 5.5–5.8, 5.12).
 *
 * @since 0.1.0
 */
import { conflict, Refusal } from "../Refusal.ts"

/** What leaves when no place can be sold. */
export type PlaceRefusal = Refusal<
  "not_found" | "invalid_request" | "slot_unavailable" | "slot_full" | "offering_paused" | "session_cancelled"
>

export const slotUnavailable = (message: string) => conflict("slot_unavailable", message)

export const slotFull = (wanted: number, room: number) =>
  conflict(
    "slot_full",
    room === 0 ? "Nothing is left at that time." : `Only ${room} of the ${wanted} wanted are left at that time.`
  )

export const offeringPaused = () => conflict("offering_paused", "This offering is paused and cannot be booked.")

export const sessionCancelled = () => conflict("session_cancelled", "This session was cancelled.")

export const holdExpired = (message: string) => conflict("hold_expired", message)

export const bookingCancelled = () => conflict("booking_cancelled", "This booking was cancelled; book anew instead.")

export const bookingHeld = () => conflict("booking_held", "This booking is held and not confirmed yet.")

export const resendLimited = (retryAfterSeconds: number) =>
  new Refusal<"resend_limited">({
    kind: "exhausted",
    code: "resend_limited",
    message: "The confirmation was sent again less than 24 hours ago.",
    retryAfterSeconds
  })
