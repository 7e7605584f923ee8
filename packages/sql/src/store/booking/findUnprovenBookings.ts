/**
 * Reads the unproven bookings that limit new bookings, by network and by place. As in `findOverlaps`, the queries are
 * the outer side of the join. Each query reads a single range of an index on unproven bookings.
 */
import type { Booking, UnprovenBookingsQuery } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import { type ColumnRow, toSelectList } from "../../Columns.ts"
import type { Database } from "../../Database.ts"
import { queryWithRecords } from "../../statements.ts"
import { bookingTable, liveCondition } from "../../table/bookingTable.ts"

const networkColumns = { org_id: "text", now: "instant", network: "text", made_after: "instant" } as const
const placeColumns = {
  org_id: "text",
  now: "instant",
  session_id: "text?",
  offering_id: "text?",
  starts_before: "instant?",
  ends_after: "instant?"
} as const

type Row = ColumnRow<typeof bookingTable.columns>

export const makeFindUnprovenBookings = (database: Database["Type"]) => {
  const { dialect, inOneTransaction, write } = database
  const { lockNames, records, table } = dialect
  const bookings = table("bookings")
  const columns = toSelectList(bookingTable.columns, "b")
  const networkQuery = `select ${columns} from ${records("$1", networkColumns)} as asked cross join ${bookings} b
    where b.org_id = asked.org_id and b.network = asked.network and b.created_at > asked.made_after
      and ${liveCondition("b", "asked.now")}`
  const placeQuery = `select ${columns} from ${records("$1", placeColumns)} as asked cross join ${bookings} b
    where b.org_id = asked.org_id and b.unproven and ${liveCondition("b", "asked.now")}
      and (b.session_id = asked.session_id or (
        b.session_id is null and b.offering_id = asked.offering_id
        and b.starts_at < asked.starts_before and b.ends_at > asked.ends_after
      ))`

  return (queries: ReadonlyArray<UnprovenBookingsQuery>): Effect.Effect<ReadonlyArray<Booking>> => {
    const networkRecords = queries.flatMap((query) =>
      "network" in query
        ? [{ org_id: query.orgId, now: query.now, network: query.network, made_after: query.madeAfter }]
        : []
    )
    const placeRecords = queries.flatMap((query) =>
      "network" in query ? [] : [{
        org_id: query.orgId,
        now: query.now,
        session_id: "sessionId" in query ? query.sessionId : null,
        offering_id: "sessionId" in query ? null : query.offeringId,
        starts_before: "sessionId" in query ? null : query.startsBefore,
        ends_after: "sessionId" in query ? null : query.endsAfter
      }]
    )
    const names = [...new Set(networkRecords.map(({ network, org_id }) => `network ${org_id} ${network}`))].toSorted()
    const lock = lockNames === undefined || names.length === 0 ? Effect.void : write(lockNames, [JSON.stringify(names)])
    const readRows = Effect.zipWith(
      queryWithRecords<Row>(database, networkQuery, networkRecords),
      queryWithRecords<Row>(database, placeQuery, placeRecords),
      (networkRows, placeRows) => [...networkRows, ...placeRows]
    )
    // The lock must be a separate statement. Only a later statement sees the rows that the previous lock holder
    // committed.
    return Effect.map(inOneTransaction(Effect.zipRight(lock, readRows)), (rows) => [
      ...new Map(rows.map((row) => [`${row.org_id} ${row.id}`, bookingTable.decode(row)])).values()
    ])
  }
}
