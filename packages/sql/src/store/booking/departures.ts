/** Reads departures: the totals of their bookings, and their first guests. */
import type { BookingStore, DepartureGuest, DepartureTotals } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import type { Database } from "../../Database.ts"
import { queryWithRecords } from "../../statements.ts"
import { liveCondition } from "../../table/bookingTable.ts"

const parameters = {
  at: "integer",
  org_id: "text",
  offering_id: "text",
  session_id: "text?",
  starts_at: "instant"
} as const

interface Row extends DepartureGuest {
  readonly at: number
}

/**
 * Reads the first guests for many departures in one statement. The departures are the outer side of the join. For each
 * departure, the statement reads a single range of the index on sessions' bookings, or of the index on bookings by
 * start.
 */
export const makeListFirstGuests = (database: Database["Type"]): BookingStore["Type"]["listFirstGuests"] => {
  const { lateral, records, table } = database.dialect
  const [bookings, customers] = [table("bookings"), table("customers")]
  const selectFirst = (columns: string, condition: string) =>
    `(select ${columns} from ${bookings} f
        where f.org_id = asked.org_id and ${condition} and f.status = 'confirmed'
        order by f.starts_at, f.id limit $2)`
  // With `lateral`, the subquery runs once for each departure. SQLite instead looks up each ID that the subquery
  // returns.
  const selectGuests = (isAsked: string, condition: string) =>
    `select asked.at, b.starts_at, b.id, b.quantity, c.name, c.email from asked ${
      lateral ?
        `cross join lateral ${selectFirst("f.*", condition)} as b
        cross join lateral (select * from ${customers} c where c.org_id = b.org_id and c.id = b.customer_id limit 1) as c
      where ${isAsked}` :
        `cross join ${bookings} b cross join ${customers} c
      where ${isAsked} and b.org_id = asked.org_id and b.id in ${selectFirst("f.id", condition)}
        and c.org_id = b.org_id and c.id = b.customer_id`
    }`
  const text = `with asked as materialized (select * from ${records("$1", parameters)} as given)
    select at, quantity, name, email from (
      ${selectGuests("asked.session_id is not null", "f.session_id = asked.session_id")}
      union all
      ${
    selectGuests(
      "asked.session_id is null",
      "f.offering_id = asked.offering_id and f.starts_at = asked.starts_at and f.session_id is null"
    )
  }
    ) as found order by at, starts_at, id`

  return (queries, limit) => {
    const departures = queries.map(({ offeringId, orgId, sessionId, startsAt }, at) => ({
      at,
      org_id: orgId,
      offering_id: offeringId,
      session_id: sessionId,
      starts_at: startsAt
    }))
    return Effect.map(queryWithRecords<Row>(database, text, departures, limit), (rows) => {
      const results = queries.map(() => new Array<DepartureGuest>())
      for (const { at, ...guest } of rows) results[at]?.push(guest)
      return results
    })
  }
}

/**
 * Returns totals for the departures that start within a span. Appointments and rentals are read one offering at a time
 * from the index that capacity checks use. Held seats in sessions are read from the index on holds.
 */
export const makeDepartureTotals = (
  { dialect, query }: Database["Type"]
): Pick<BookingStore["Type"], "listDepartures" | "heldSeats"> => {
  const bookings = dialect.table("bookings")
  const sumHeld = (expression: string) => `coalesce(sum(${expression}) filter (where b.status = 'held'), 0)`
  const departingQuery = `select b.offering_id as "offeringId", b.starts_at as "startsAt",
      max(b.ends_at) as "endsAt", min(b.id) as "firstId", count(*) as bookings, sum(b.quantity) as quantity,
      ${sumHeld("1")} as "heldBookings", ${sumHeld("b.quantity")} as "heldQuantity"
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
    listDepartures: ({ from, limit, now, orgId, to }) =>
      query<DepartureTotals>(departingQuery, [orgId, from, to, now, limit]),
    heldSeats: ({ from, now, orgId, to }) => query(heldSeats, [orgId, from, to, now])
  }
}
