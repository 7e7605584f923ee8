import { isEqualDigest } from "../actor/ApiKey.ts"
import type { Org } from "../org/Org.ts"
import { computeKeyedDigest, type Ids } from "../port/Ids.ts"
import type { Booking } from "./Booking.ts"

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
