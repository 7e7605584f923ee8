/**
 * Adds up what departs together within a span of starts.
 */
import type { BookingStore, Departing } from "@trailbook/core/booking/BookingStore"
import type { Database } from "../Database.ts"
import { live } from "../table/live.ts"

/**
 * @category reading
 */
export const departing = ({ dialect, query }: Database["Type"]): BookingStore["Type"]["departing"] => {
  const held = (what: string) => `coalesce(${what} filter (where b.status = 'held'), 0)`
  const text = `select b.offering_id as "offeringId", b.session_id as "sessionId", b.starts_at as "startsAt",
      max(b.ends_at) as "endsAt", min(b.id) as "firstId", count(*) as bookings, sum(b.quantity) as quantity,
      ${held("count(*)")} as "heldBookings", ${held("sum(b.quantity)")} as "heldQuantity"
    from ${dialect.table("bookings")} b
    where b.org_id = $1 and b.starts_at >= $2 and b.starts_at < $3 and ${live("b", "$4")}
    group by b.starts_at, b.offering_id, b.session_id
    order by b.starts_at, b.offering_id, b.session_id nulls first limit $5`
  return ({ from, limit, now, orgId, to }) => query<Departing>(text, [orgId, from, to, now, limit])
}
