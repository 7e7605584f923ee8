import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { GuestActor } from "../actor/Actor.ts"
import { isEqualDigest } from "../actor/ApiKey.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { computeKeyedDigest, type Ids } from "../port/Ids.ts"
import { computeKeptCents } from "../pricing/CancellationPolicy.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import { computeCancellationRefund } from "./balance.ts"
import type { Booking } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"

export class GuestAccess extends Context.Tag("@trailbook/core/GuestAccess")<
  GuestAccess,
  {
    /** Returns the guest with this handle. The handle can be any text, so the error message does not repeat it. */
    readonly findGuest: (handle: string) => Effect.Effect<GuestActor, Refusal<"not_found">>
    /** Returns the booking with this check-in token. The token can be any text. */
    readonly findByCheckInToken: (token: string) => Effect.Effect<OrgKey, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    GuestAccess,
    Effect.map(BookingStore, ({ findByCheckInToken, findByHandle }) =>
      GuestAccess.of({
        findGuest: (handle) =>
          isHandle(handle)
            ? Effect.mapBoth(Effect.flatten(findByHandle(handle)), {
              onFailure: () => unknownPage,
              onSuccess: ({ booking: { id: bookingId, orgId } }): GuestActor => ({
                _tag: "Guest",
                orgId,
                bookingId,
                scopes
              })
            })
            : unknownPage,
        findByCheckInToken: (token) =>
          isHandle(token)
            ? Effect.mapBoth(Effect.flatten(findByCheckInToken(token)), {
              onFailure: () => unknownPage,
              onSuccess: ({ booking: { id, orgId } }) => ({ id, orgId })
            })
            : unknownPage
      }))
  )
}

const scopes = new Set(["guest"] as const)

const unknownPage = notFound("page", "here")

/** Returns whether a string consists of base64url characters and has a plausible length. */
const isHandle = (text: string): boolean => /^[A-Za-z0-9_-]{16,64}$/.test(text)

/**
 * Derives the secret for the link in an email about a booking. The secret appears only in that email, so a caller who
 * has it can read email sent to the guest's address.
 */
export const deriveEmailLinkSecret = (
  ids: Pick<Ids["Type"], "digest">,
  { secret }: Pick<Org, "secret">,
  { id }: Booking
) => computeKeyedDigest(ids, secret, `mailed ${id}`).slice(0, 40)

export const isEmailLinkSecret = (
  ids: Pick<Ids["Type"], "digest">,
  org: Pick<Org, "secret">,
  booking: Booking,
  secret: string
): boolean => isEqualDigest(deriveEmailLinkSecret(ids, org, booking), secret)

/** The changes that a guest can make now. */
export interface GuestPermissions {
  readonly mayMove: boolean
  readonly mayCancel: boolean
  /** The deadline for changing a confirmed booking. Null if guest changes are not allowed. */
  readonly until: Instant.Instant | null
  /** The amount that the guest would get back by canceling now, and how much of it was paid online. */
  readonly backCents: number
  readonly refundCents: number
}

/**
 * Returns the changes that a guest can make on the booking's page.
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
