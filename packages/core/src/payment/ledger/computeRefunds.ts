/**
 * Computes a cancellation's online refunds from the views that a caller can read. Only the ledger contains the amounts,
 * because a booking can also be paid at the desk, in several payments, or with a disputed payment.
 */
import * as Effect from "effect/Effect"
import type { BookingView } from "../../booking/BookingView.ts"
import { computeKeptCents, type RefundChoice } from "../../pricing/CancellationPolicy.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import type { LedgerEntryView } from "./LedgerEntry.ts"

/**
 * Splits an amount into refunds for the online payments among the entries. Each refund is at most the refundable amount
 * of its payment. A disputed payment is never refunded. The refunds add up to less than the amount if the refundable
 * amounts do not cover it.
 */
export const splitOnlineRefund = (entries: ReadonlyArray<LedgerEntryView>, cents: number): ReadonlyArray<number> => {
  let remainingCents = Math.max(0, cents)
  return entries.filter(({ kind, method }) => kind === "payment" && method === "online").flatMap((payment) => {
    const refunds = entries.filter(({ refund_of, status }) => refund_of === payment.id && status !== "failed")
    const isDisputed = refunds.some(({ reason }) => reason === "dispute")
    const refundedCents = sumCents(refunds.map(({ amount_cents }) => amount_cents))
    const partCents = isDisputed ? 0 : Math.min(remainingCents, payment.amount_cents - refundedCents)
    remainingCents -= Math.max(0, partCents)
    return partCents > 0 ? [partCents] : []
  })
}

/**
 * Returns the amount that a cancellation would refund now, and one online refund per payment, all in cents. The
 * difference is refunded at the desk.
 */
export const computeRefunds = (
  booking: BookingView,
  /** The booking's online entries. */
  entries: ReadonlyArray<LedgerEntryView>,
  /** `all` if the outfitter cancels the departure. */
  choice: RefundChoice | "all",
  now: Instant.Instant
): { readonly backCents: number; readonly refunds: ReadonlyArray<number> } => {
  const { cancellation_policy: policy, paid_cents: paidCents, quantity, starts_at, total_cents: totalCents } = booking
  const startsAt = Instant.make(Date.parse(starts_at))
  const keepCents = choice === "all"
    ? 0
    : computeKeptCents({ cancellationPolicy: policy ?? null, quantity, startsAt, totalCents }, choice, now)
  const backCents = paidCents - Math.min(keepCents, paidCents)
  return { backCents, refunds: splitOnlineRefund(entries, backCents) }
}

/** Returns a function that loads each booking's online refunds. */
export const makeLoadRefunds = <E, R>(
  bookings: ReadonlyArray<BookingView>,
  choice: RefundChoice | "all",
  list: (
    query: { readonly booking_id: string; readonly method: "online"; readonly limit: number }
  ) => Effect.Effect<{ readonly data: ReadonlyArray<LedgerEntryView> }, E, R>
): Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, E, R> =>
  Effect.flatMap(currentTime, (now) =>
    Effect.forEach(bookings, (booking) =>
      booking.payment_intent_id === null
        ? Effect.succeed([])
        : Effect.map(
          list({ booking_id: booking.id, method: "online", limit: 500 }),
          ({ data }) => computeRefunds(booking, data, choice, now).refunds
        ), { concurrency: 8 }))

/** Adds amounts in cents. */
export const sumCents = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, cents) => sum + cents, 0)
