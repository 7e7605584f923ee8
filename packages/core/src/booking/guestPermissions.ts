/**
 * What guests may change of their booking by its page.
 *
 * | booking | cancel | move |
 * |---|---|---|
 * | held | always | while the outfitter lets guests change |
 * | confirmed | while the outfitter lets guests change | the same |
 * | cancelled | no | no |
 *
 * The outfitter lets guests change until `guest_changes_hours` before the start, and never once it has begun; where they
 * have said nothing, guests write instead. An unproven booking does not move, because a move would evade the limit of its
 * new departure. A cancellation gives an online payment back in full while the booking has not
 * begun, unless the payment is disputed.
 */
import type { Org } from "../org/Org.ts"
import { isWithheld } from "../payment/Payment.ts"
import * as Instant from "../time/Instant.ts"
import type { Booking } from "./Booking.ts"

export interface GuestPermissions {
  readonly mayMove: boolean
  readonly mayCancel: boolean
  /** Up to when a booking that is confirmed may be changed, as its outfitter has it; null where they let nobody. */
  readonly until: Instant.Instant | null
  /** What a cancellation gives back now, in cents. */
  readonly refundCents: number
}

export const guestPermissions = (
  booking: Booking,
  { guestChangesHours }: Pick<Org, "guestChangesHours">,
  now: Instant.Instant
): GuestPermissions => {
  const { startsAt, status } = booking
  const until = guestChangesHours === null ? null : Instant.addMinutes(startsAt, -60 * guestChangesHours)
  const isOpen = until !== null && now <= until && now < startsAt
  const isLiveHold = status === "held" && booking.expiresAt > now
  const isPaid = booking.paymentIntentId !== null && status !== "cancelled" && booking.refund === null &&
    !isWithheld(booking.dispute)
  return {
    mayMove: isOpen && booking.unproven === null && (status === "confirmed" || isLiveHold),
    mayCancel: status === "held" || (status === "confirmed" && isOpen),
    until,
    refundCents: isPaid && startsAt > now ? booking.totalCents : 0
  }
}
