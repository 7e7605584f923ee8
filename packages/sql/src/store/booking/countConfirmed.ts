/**
 * Counts confirmed bookings by creation time. Complete UTC days are summed from the table `booking_counts`, which is
 * updated by triggers in each booking's transaction. Only the partial days at both ends of a span are counted from
 * bookings, so a long span costs little more than a short one.
 */
import type { BookingStore } from "@trailbook/core/booking"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { Database } from "../../Database.ts"
import { queryWithRecords } from "../../jsonParameter.ts"

/** The length of a UTC day. Every day has the same length, because epoch milliseconds ignore leap seconds. */
const dayMs = 86_400_000

const parameters = {
  at: "integer",
  before: "instant",
  midnight: "instant",
  last: "instant",
  after: "instant",
  first_day: "integer",
  last_day: "integer"
} as const

export const makeCountConfirmed = (database: Database["Type"]): BookingStore["Type"]["countConfirmed"] => {
  const { records, table } = database.dialect
  const countMade = (from: string, to: string) =>
    `(select count(*) from ${table("bookings")}
      where org_id = $2 and created_at >= asked.${from} and created_at < asked.${to} and status = 'confirmed')`
  const text = `select ${countMade("before", "midnight")} + ${countMade("last", "after")} + (
      select cast(coalesce(sum(confirmed), 0) as bigint) from ${table("booking_counts")}
      where org_id = $2 and day >= asked.first_day and day < asked.last_day
    ) as count
    from ${records("$1", parameters)} as asked order by asked.at`

  return (orgId, spans) =>
    Effect.map(
      queryWithRecords<{ readonly count: number }>(
        database,
        text,
        spans.map(({ from, to }, at) => ({ at, ...partsOf(from, to) })),
        orgId
      ),
      (rows) => rows.map(({ count }) => count)
    )
}

/**
 * Splits a span into the part before the first midnight, the complete days, and the part after the last midnight. A
 * span with fewer than two midnights has no complete days.
 */
const partsOf = (from: Instant, to: Instant) => {
  const first = Math.ceil(from / dayMs)
  const last = Math.floor(to / dayMs)
  return first < last
    ? { before: from, midnight: first * dayMs, last: last * dayMs, after: to, first_day: first, last_day: last }
    : { before: from, midnight: to, last: to, after: to, first_day: 0, last_day: 0 }
}
