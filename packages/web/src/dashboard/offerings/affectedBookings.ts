/** Whom a cancellation by the outfitter would concern, and what goes back to them. */
import { bookingsList } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { isWithheld } from "@trailbook/core/payment/Payment"
import { ownConflict } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { isActive } from "../bookings/facts.tsx"
import type { PageContext } from "../Page.ts"

export interface AffectedBookings {
  /** Confirmed bookings and holds that live, up to {@link maxLoaded}. */
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether there are more than those. */
  readonly isMore: boolean
}

/** As many are looked at before it is done; all are cancelled. */
export const maxLoaded = 500

/** Those in a session, or those of an offering that are still to come. */
export const loadAffectedBookings = (
  { clock: { stamp: now }, run }: Pick<PageContext, "clock" | "run">,
  where: { readonly session_id: string } | { readonly offering_id: string }
) =>
  Effect.gen(function*() {
    const coming = "offering_id" in where ? { from: now } : {}
    const confirmed = yield* run(bookingsList, { ...where, ...coming, status: "confirmed", limit: maxLoaded })
    const held = yield* run(bookingsList, { ...where, status: "held", limit: maxLoaded })
    const live = held.data.filter((booking) => isActive(booking, now))
    const affected: AffectedBookings = {
      bookings: [...confirmed.data, ...live].toSorted((a, b) => a.starts_at < b.starts_at ? -1 : 1),
      isMore: confirmed.next_cursor !== undefined || held.next_cursor !== undefined
    }
    return affected
  })

/** What was paid online for them, in the smallest unit, and how many paid it. */
export const totalPaid = (bookings: ReadonlyArray<BookingView>) => {
  const all = bookings.filter(({ payment_intent_id, refund }) => payment_intent_id !== null && refund === null)
  const paid = all.filter(({ dispute }) => !isWithheld(dispute))
  return {
    count: paid.length,
    cents: paid.reduce((sum, { total_cents }) => sum + total_cents, 0),
    /** How many payments a dispute withholds, which are not refunded. */
    disputed: all.length - paid.length
  }
}

/** Those who read the consequences read of others than there are now. */
export const affectedChanged = ownConflict(
  "changed_meanwhile",
  "Bookings changed in the meantime. Nothing was done. Review the page again."
)
