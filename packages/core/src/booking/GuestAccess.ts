import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Guest } from "../actor/Actor.ts"
import { isEqualDigest } from "../actor/ApiKey.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { computeKeyedDigest } from "../port/computeKeyedDigest.ts"
import type { Ids } from "../port/Ids.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Booking } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"

export class GuestAccess extends Context.Tag("@trailbook/core/GuestAccess")<
  GuestAccess,
  {
    /** Returns the guest with this handle. The handle can be any text, so the error message does not repeat it. */
    readonly at: (handle: string) => Effect.Effect<Guest, Refusal<"not_found">>
    /** Returns the booking with this check-in token. The token can be any text. */
    readonly findByCheckInToken: (token: string) => Effect.Effect<OrgKey, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    GuestAccess,
    Effect.map(BookingStore, ({ findByCheckInToken, findByHandle }) =>
      GuestAccess.of({
        at: (handle) =>
          isHandle(handle)
            ? Effect.mapBoth(Effect.flatten(findByHandle(handle)), {
              onFailure: () => unknownPage,
              onSuccess: ({ booking: { id: bookingId, orgId } }): Guest => ({ _tag: "Guest", orgId, bookingId, scopes })
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
