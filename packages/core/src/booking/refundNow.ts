import { isWithheld } from "../payment/Payment.ts"
import { computeKeep, type RefundChoice } from "../pricing/CancellationPolicy.ts"
import * as Instant from "../time/Instant.ts"
import type { BookingView } from "./BookingView.ts"

/**
 * Returns the refund if a booking is canceled at this time, and the part of it that was paid online, in cents.
 */
export const refundNow = (
  booking: BookingView,
  choice: RefundChoice | "all",
  now: Instant.Instant
): { readonly backCents: number; readonly onlineCents: number } => {
  const { cancellation_policy, dispute, paid_at, paid_cents, quantity, refund, starts_at, total_cents } = booking
  const keepCents = choice === "all" ? 0 : computeKeep(
    {
      cancellationPolicy: cancellation_policy ?? null,
      quantity,
      startsAt: Instant.make(Date.parse(starts_at)),
      totalCents: total_cents
    },
    choice,
    now
  )
  const backCents = paid_cents - Math.min(keepCents, paid_cents)
  const onlineCents = paid_at === null || isWithheld(dispute) ? 0 : Math.max(0, total_cents - (refund?.cents ?? 0))
  return { backCents, onlineCents: Math.min(onlineCents, backCents) }
}
