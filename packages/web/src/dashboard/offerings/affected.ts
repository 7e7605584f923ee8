/**
 * Whom a cancellation by the outfitter would concern, and what goes back to them.
 */
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { bookingsList } from "@trailbook/core/operation/bookingOperations"
import { isWithheld } from "@trailbook/core/payment/Payment"
import { ownConflict } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { isOn } from "../bookings/facts.tsx"
import type { DeskAsked } from "../View.ts"

/**
 * @category models
 */
export interface Affected {
  /** Confirmed bookings and holds that live, up to {@link most}. */
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether there are more than those. */
  readonly isMore: boolean
}

/**
 * As many are looked at before it is done; all are cancelled.
 *
 * @category constants
 */
export const most = 500

/**
 * Those in a session, or those of an offering that are still to come.
 *
 * @category reading
 */
export const affectedBy = (
  { clock: { stamp: now }, run }: Pick<DeskAsked, "clock" | "run">,
  where: { readonly session_id: string } | { readonly offering_id: string }
) =>
  Effect.gen(function*() {
    const coming = "offering_id" in where ? { from: now } : {}
    const confirmed = yield* run(bookingsList, { ...where, ...coming, status: "confirmed", limit: most })
    const held = yield* run(bookingsList, { ...where, status: "held", limit: most })
    const live = held.data.filter((booking) => isOn(booking, now))
    const affected: Affected = {
      bookings: [...confirmed.data, ...live].toSorted((a, b) => a.starts_at < b.starts_at ? -1 : 1),
      isMore: confirmed.next_cursor !== undefined || held.next_cursor !== undefined
    }
    return affected
  })

/**
 * What was paid online for them, in the smallest unit, and how many paid it.
 *
 * @category calculating
 */
export const paidOf = (bookings: ReadonlyArray<BookingView>) => {
  const all = bookings.filter(({ payment_intent_id, refund }) => payment_intent_id !== null && refund === null)
  const paid = all.filter(({ dispute }) => !isWithheld(dispute))
  return {
    count: paid.length,
    cents: paid.reduce((sum, { total_cents }) => sum + total_cents, 0),
    /** How many payments a dispute withholds, which are not refunded. */
    disputed: all.length - paid.length
  }
}

/**
 * Those who read the consequences read of others than there are now.
 *
 * @category errors
 */
export const changedMeanwhile = ownConflict(
  "changed_meanwhile",
  "Somebody has booked or cancelled while you looked. Nothing was done yet: please look again."
)
