/**
 * The changes that guests can make on their booking's page.
 *
 * | booking | cancel | move |
 * |---|---|---|
 * | held | always | while guest changes are allowed |
 * | confirmed | while guest changes are allowed | while guest changes are allowed |
 * | cancelled | no | no |
 *
 * Guest changes are allowed until `guest_changes_hours` before the start, and never after the start. Guest changes are
 * not allowed if the setting is null or if the guests are checked in. Guests must then contact the outfitter. An
 * unproven booking cannot be moved, because moving it would evade the limit on its new departure. A cancellation
 * refunds everything that the cancellation policy does not let the outfitter keep.
 */
import type { Org } from "../org/Org.ts"
import { computeKeptCents } from "../pricing/CancellationPolicy.ts"
import * as Instant from "../time/Instant.ts"
import { computeCancellationRefund } from "./balance.ts"
import type { Booking } from "./Booking.ts"

export interface GuestPermissions {
  readonly mayMove: boolean
  readonly mayCancel: boolean
  /** The deadline for changing a confirmed booking. Null if guest changes are not allowed. */
  readonly until: Instant.Instant | null
  /** The amount that the guest would get back by canceling now, and how much of it was paid online. */
  readonly backCents: number
  readonly refundCents: number
}

export const getGuestPermissions = (
  booking: Booking,
  { guestChangesHours }: Pick<Org, "guestChangesHours">,
  now: Instant.Instant
): GuestPermissions => {
  const { startsAt, status } = booking
  const until = guestChangesHours === null ? null : Instant.addMinutes(startsAt, -60 * guestChangesHours)
  const isCheckedIn = booking.attendance?.status === "checked_in"
  const isOpen = until !== null && now <= until && now < startsAt && !isCheckedIn
  const isLiveHold = status === "held" && booking.expiresAt > now
  const refund = status === "cancelled"
    ? { cents: 0, onlineCents: 0 }
    : computeCancellationRefund(booking, computeKeptCents(booking, "policy", now))
  return {
    mayMove: isOpen && booking.unproven === null && (status === "confirmed" || isLiveHold),
    mayCancel: status === "held" || (status === "confirmed" && isOpen),
    until,
    backCents: refund.cents,
    refundCents: refund.onlineCents
  }
}
