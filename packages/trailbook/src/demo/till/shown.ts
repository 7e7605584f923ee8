import * as Instant from "@trailbook/core/time/Instant"
import type { TillCheckout } from "@trailbook/web/till/TillPort"
import type { Address } from "./paymentsAt.ts"
import type { TillSession } from "./TillEvent.ts"

/**
 * A checkout as its page shows it at a moment.
 *
 * @category converting
 */
export const shown = (
  { asked, hasEnded, session, taken }: TillSession,
  now: Instant.Instant,
  { publicUrl = "" }: Address
): TillCheckout => ({
  session,
  status: taken.length > 0 ? "paid" : hasEnded || asked.expiresAt <= now ? "ended" : "open",
  outfitter: asked.outfitter,
  timezone: asked.timezone,
  description: asked.description,
  reference: asked.reference,
  cents: asked.cents,
  currency: asked.currency,
  expiresAt: Instant.format(asked.expiresAt),
  money: taken,
  back: `${publicUrl}/b/${asked.handle}${taken.length > 0 ? "/paid" : ""}`
})
