import * as Effect from "effect/Effect"
import { yieldToEventLoop } from "../../concurrency/yieldToEventLoop.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { BookingStore } from "../BookingStore.ts"

/**
 * The number of bookings that deleting an offering would cancel: upcoming confirmed bookings, live holds, and expired
 * holds. `paid` is the number of all of these that were paid online.
 */
export interface UpcomingCount {
  readonly confirmed: number
  readonly holds: number
  readonly expired: number
  readonly paid: number
}

/**
 * Counts the upcoming bookings for an offering, up to `most`. The count runs in pages of 1,000 and yields to the event
 * loop between pages. Do not count many bookings inside a transaction.
 */
export const countUpcoming = (
  bookings: Pick<BookingStore["Type"], "countUpcoming">,
  offering: OrgKey,
  now: Instant,
  most = Infinity
): Effect.Effect<UpcomingCount> =>
  Effect.gen(function*() {
    const counted = { confirmed: 0, holds: 0, expired: 0, paid: 0 }
    for (const status of ["held", "confirmed"] as const) {
      let after: Position | undefined
      do {
        const limit = Math.min(atOnce, most - totalUpcoming(counted))
        if (limit === 0) return counted
        if (after !== undefined) yield* yieldToEventLoop
        const { count, expired, next, paid } = yield* bookings.countUpcoming(offering, { status, now, after, limit })
        counted[status === "held" ? "holds" : "confirmed"] += count - expired
        counted.expired += expired
        counted.paid += paid
        after = next
      } while (after !== undefined)
    }
    return counted
  })

/** Returns the total number of bookings. */
export const totalUpcoming = ({ confirmed, expired, holds }: UpcomingCount): number => confirmed + holds + expired

const atOnce = 1000
