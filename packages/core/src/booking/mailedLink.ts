import { sameDigest } from "../actor/ApiKey.ts"
import type { Org } from "../org/Org.ts"
import type { Ids } from "../port/Ids.ts"
import { keyedDigest } from "../port/keyedDigest.ts"
import type { Booking } from "./Booking.ts"

/**
 * Derives the secret for the link in an email about a booking. The secret appears only in that email, so a caller who
 * has it can read email sent to the guest's address.
 */
export const mailedSecret = (ids: Pick<Ids["Type"], "digest">, { secret }: Pick<Org, "secret">, { id }: Booking) =>
  keyedDigest(ids, secret, `mailed ${id}`).slice(0, 40)

export const isMailedSecret = (
  ids: Pick<Ids["Type"], "digest">,
  org: Pick<Org, "secret">,
  booking: Booking,
  secret: string
): boolean => sameDigest(mailedSecret(ids, org, booking), secret)
