/**
 * Sums the departures within a span of starts. Appointments and rentals are read from the index that capacity checks
 * use, one offering at a time. Held seats of sessions are read from the index of holds.
 */
import type { BookingStore, DepartureTotals } from "@trailbook/core/booking/BookingStore"
import type { Database } from "../Database.ts"
import { liveCondition } from "../table/liveCondition.ts"

export const departureTotals = (
  { dialect, query }: Database["Type"]
): Pick<BookingStore["Type"], "departing" | "heldSeats"> => {
  const bookings = dialect.table("bookings")
  const held = (what: string) => `coalesce(sum(${what}) filter (where b.status = 'held'), 0)`
  const starts = `select b.offering_id as "offeringId", b.starts_at as "startsAt",
      max(b.ends_at) as "endsAt", min(b.id) as "firstId", count(*) as bookings, sum(b.quantity) as quantity,
      ${held("1")} as "heldBookings", ${held("b.quantity")} as "heldQuantity"
    from ${dialect.table("offerings")} o cross join ${bookings} b
    where o.org_id = $1 and o.kind <> 'class' and b.org_id = o.org_id and b.offering_id = o.id
      and b.session_id is null and b.starts_at >= $2 and b.starts_at < $3 and ${liveCondition("b", "$4")}
    group by b.starts_at, b.offering_id
    order by b.starts_at, b.offering_id limit $5`
  const heldSeats = `select b.session_id as "sessionId", sum(b.quantity) as quantity from ${bookings} b
    where b.org_id = $1 and b.starts_at >= $2 and b.starts_at < $3 and b.status = 'held' and b.expires_at > $4
      and b.session_id is not null
    group by b.session_id`
  return {
    departing: ({ from, limit, now, orgId, to }) => query<DepartureTotals>(starts, [orgId, from, to, now, limit]),
    heldSeats: ({ from, now, orgId, to }) => query(heldSeats, [orgId, from, to, now])
  }
}
