/**
 * Counts confirmed bookings by when they were made. However many there were, it
 * adds up what triggers keep for each whole day of UTC in `booking_counts`, in the
 * unit of work that changes a booking; only what a span has of days that are not
 * whole is counted, and a month has nothing of such.
 */
import type { BookingStore } from "@trailbook/core/booking/BookingStore"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"

/** Every day of UTC is as long as this: epoch milliseconds leave leap seconds out. */
const dayMs = 86_400_000

/**
 * @category reading
 */
export const confirmedIn = ({ dialect, query }: Database["Type"]): BookingStore["Type"]["countConfirmed"] => {
  const made = (from: string, to: string) =>
    `(select count(*) from ${dialect.table("bookings")}
      where org_id = $1 and created_at >= ${from} and created_at < ${to} and status = 'confirmed')`
  const text = `select ${made("$2", "$3")} + ${made("$4", "$5")} + (
      select cast(coalesce(sum(confirmed), 0) as bigint) from ${dialect.table("booking_counts")}
      where org_id = $1 and day >= $6 and day < $7
    ) as count`

  return (orgId, from, to) =>
    Effect.map(
      query<{ readonly count: number }>(text, [orgId, ...spansOf(from, to)]),
      ([row]) => row?.count ?? 0
    )
}

/** Up to the first midnight, from the last one, and the days in between; a span within a day has none. */
const spansOf = (from: Instant, to: Instant): ReadonlyArray<number> => {
  const first = Math.ceil(from / dayMs)
  const last = Math.floor(to / dayMs)
  return first < last ? [from, first * dayMs, last * dayMs, to, first, last] : [from, to, to, to, 0, 0]
}
