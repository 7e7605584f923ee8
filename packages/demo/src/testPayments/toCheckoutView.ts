import * as Instant from "@trailbook/core/time/Instant"
import type { TestCheckoutView } from "@trailbook/web/testPayments/TestPaymentsPort"
import type { Address } from "./makeTestPayments.ts"
import type { TestCheckoutSession } from "./TestPaymentEvent.ts"

/** Converts a checkout to the view that its page shows. */
export const toCheckoutView = (
  { asked, hasEnded, session, taken }: TestCheckoutSession,
  now: Instant.Instant,
  { publicUrl = "" }: Address
): TestCheckoutView => ({
  session,
  status: taken.length > 0 ? "paid" : hasEnded || asked.expiresAt <= now ? "ended" : "open",
  outfitter: asked.outfitter,
  timezone: asked.timezone,
  items: asked.items ?? [{ name: asked.description, quantity: 1, cents: asked.cents, details: "" }],
  reference: asked.reference,
  cents: asked.cents,
  currency: asked.currency,
  expiresAt: Instant.format(asked.expiresAt),
  money: taken,
  back: `${publicUrl}/b/${asked.handle}${taken.length > 0 ? "/paid" : ""}`
})
