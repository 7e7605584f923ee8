/** The bookings that a cancellation affects, and their refunds. */
import { ownConflict } from "@trailbook/core"
import { bookingsList, type BookingView } from "@trailbook/core/booking"
import { isWithheld, loadRefundsNow, paymentsList, sumCents } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { isActive } from "../bookings/facts.tsx"
import type { PageContext } from "../Page.ts"

export interface AffectedBookings {
  /** Confirmed bookings and active holds, up to {@link maxLoaded}. */
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether there are more affected bookings. */
  readonly isMore: boolean
}

/** The maximum number of bookings in the preview. The cancellation itself has no limit. */
export const maxLoaded = 500

/** Loads a session's bookings, or an offering's upcoming bookings. */
export const loadAffectedBookings = (
  { clock: { stamp: now }, run }: Pick<PageContext, "clock" | "run">,
  where: { readonly session_id: string } | { readonly offering_id: string }
) =>
  Effect.gen(function*() {
    const timeFilter = "offering_id" in where ? { from: now } : {}
    const confirmedPage = yield* run(bookingsList, { ...where, ...timeFilter, status: "confirmed", limit: maxLoaded })
    const heldPage = yield* run(bookingsList, { ...where, status: "held", limit: maxLoaded })
    const liveHolds = heldPage.data.filter((booking) => isActive(booking, now))
    const affected: AffectedBookings = {
      bookings: [...confirmedPage.data, ...liveHolds].toSorted((a, b) => a.starts_at < b.starts_at ? -1 : 1),
      isMore: confirmedPage.next_cursor !== undefined || heldPage.next_cursor !== undefined
    }
    return affected
  })

/** Loads the total amount of the online refunds, and the number of bookings that will be refunded. */
export const loadRefunds = (run: PageContext["run"], bookings: ReadonlyArray<BookingView>) =>
  Effect.map(loadRefundsNow(bookings, "all", (query) => run(paymentsList, query)), (refunds) => ({
    count: refunds.filter((parts) => parts.length > 0).length,
    cents: sumCents(refunds.flat()),
    /** Disputed payments are not refunded. */
    disputed: bookings.filter(({ dispute, refund }) => isWithheld(dispute) && refund === null).length
  }))

/** The refusal if the affected bookings have changed since the preview. */
export const affectedChanged = ownConflict(
  "changed_meanwhile",
  "Some bookings changed while this page was open. Nothing was canceled. Review the bookings again."
)
