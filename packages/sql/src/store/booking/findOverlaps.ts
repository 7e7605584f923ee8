/**
 * Reads the bookings that limit new bookings. The most frequent read returns the live bookings that overlap each of
 * many spans, and the latest expiry of the ignored holds, in one statement.
 *
 * The query uses the index on an offering's bookings by start. Two bounds limit the read to the bookings near the span.
 * With only the upper bound, the query would read every past booking for the offering. A plan that starts with the
 * bookings would read all of them for each span, so the spans must be the outer side of the join. How to force this
 * order depends on the database. SQLite never reorders a `cross join`, and PostgreSQL cannot start with a lateral
 * subquery that references the spans.
 */
import type { Booking, OverlapQuery, Overlaps, UnprovenBookingsQuery } from "@trailbook/core/booking"
import type { BookedSpan } from "@trailbook/core/capacity"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { type ColumnRow, toSelectList } from "../../Columns.ts"
import type { Database } from "../../Database.ts"
import { getSingleValue, queryWithRecords } from "../../statements.ts"
import { bookingTable, expiredCondition, liveCondition } from "../../table/bookingTable.ts"

const parameters = {
  at: "integer",
  org_id: "text",
  offering_id: "text",
  starts_after: "instant",
  starts_before: "instant",
  ends_after: "instant",
  now: "instant",
  except_id: "text?"
} as const

interface Row extends BookedSpan {
  readonly at: number
  readonly lapsedAt: Instant | null
}

/** Returns the aggregate columns per span. The count is 0 if all bookings with this span are expired holds. */
const countColumns = (...moments: readonly [string, string]): string =>
  `b.starts_at as "startsAt", b.ends_at as "endsAt",
    count(*) filter (where ${liveCondition("b", ...moments)}) as bookings,
    coalesce(sum(b.quantity) filter (where ${liveCondition("b", ...moments)}), 0) as quantity,
    max(b.expires_at) filter (where ${expiredCondition("b", ...moments)}) as "lapsedAt"`

type Span = readonly [startsAt: Instant, endsAt: Instant, bookings: number, quantity: number]

const parseSpans = (text: string): ReadonlyArray<BookedSpan> =>
  (JSON.parse(text) as ReadonlyArray<Span>).flatMap(([startsAt, endsAt, bookings, quantity]) =>
    bookings === 0 ? [] : [{ startsAt, endsAt, bookings, quantity }]
  )

export const makeFindOverlaps = (database: Database["Type"]) => {
  const { gathered, lateral, records, table } = database.dialect
  const [bookings, offerings] = [table("bookings"), table("offerings")]
  // Materialize the spans. Otherwise, their fields would be parsed from JSON again for every booking, which takes twice
  // as long. One statement reads `judged_at` and the offering's bookings, so no booking can be made in between.
  const withClause = `with asked as materialized (
      select given.*, o.judged_at from ${records("$1", parameters)} as given
        join ${offerings} o on o.org_id = given.org_id and o.id = given.offering_id
    )`
  const judgedAt = `(select o.judged_at from ${offerings} o where o.org_id = $1 and o.id = $2)`
  const whereClause = `where b.org_id = asked.org_id and b.offering_id = asked.offering_id
      and b.starts_at >= asked.starts_after and b.starts_at < asked.starts_before
      and b.ends_at > asked.ends_after
      and b.status <> 'cancelled' and b.id is distinct from asked.except_id`
  const manyQuery = lateral ?
    `${withClause}
    select asked.at, taken.* from asked cross join lateral (
      select ${
      countColumns("asked.now", "asked.judged_at")
    } from ${bookings} b ${whereClause} group by b.starts_at, b.ends_at
    ) as taken` :
    `${withClause}
    select asked.at, ${countColumns("asked.now", "asked.judged_at")} from asked cross join ${bookings} b ${whereClause}
    group by asked.at, b.starts_at, b.ends_at`
  // A single query reads a year of availability. It groups rows in index order without sorting, and returns a single
  // JSON text.
  const oneQuery = `
    select ${gathered(`"startsAt"`, `"endsAt"`, "bookings", "quantity")} as spans,
      max("lapsedAt") as "lapsedAt"
    from (
      select ${countColumns("$6", judgedAt)}
      from ${bookings} b
      where b.org_id = $1 and b.offering_id = $2
        and b.starts_at >= $3 and b.starts_at < $4 and b.ends_at > $5
        and b.status <> 'cancelled' and b.id is distinct from $7
      group by b.starts_at, b.ends_at
    ) as taken`

  const findOne = ({ endsAfter, except, now, offeringId, orgId, startsAfter, startsBefore }: OverlapQuery) =>
    Effect.map(
      database.query<{ readonly spans: string; readonly lapsedAt: Instant | null }>(
        oneQuery,
        [orgId, offeringId, startsAfter, startsBefore, endsAfter, now, except ?? null]
      ),
      ([row]) => [{ bookedSpans: parseSpans(row?.spans ?? "[]"), lapsedAt: row?.lapsedAt ?? null }]
    )

  return (queries: ReadonlyArray<OverlapQuery>): Effect.Effect<ReadonlyArray<Overlaps>> => {
    const onlyQuery = getSingleValue(queries)
    if (onlyQuery !== undefined) return findOne(onlyQuery)
    const records = queries.map((query, at) => ({
      at,
      org_id: query.orgId,
      offering_id: query.offeringId,
      starts_after: query.startsAfter,
      starts_before: query.startsBefore,
      ends_after: query.endsAfter,
      now: query.now,
      except_id: query.except ?? null
    }))
    return Effect.map(queryWithRecords<Row>(database, manyQuery, records), (rows) => {
      const results = queries.map(() => ({ bookedSpans: new Array<BookedSpan>(), lapsedAt: null as Instant | null }))
      for (const { at, lapsedAt, ...span } of rows) {
        const result = results[at]
        if (result === undefined) continue
        if (span.bookings > 0) result.bookedSpans.push(span)
        result.lapsedAt = laterOf(result.lapsedAt, lapsedAt)
      }
      return results
    })
  }
}

const laterOf = (a: Instant | null, b: Instant | null): Instant | null => a === null || (b !== null && b > a) ? b : a

const networkColumns = { org_id: "text", now: "instant", network: "text", made_after: "instant" } as const
const placeColumns = {
  org_id: "text",
  now: "instant",
  session_id: "text?",
  offering_id: "text?",
  starts_before: "instant?",
  ends_after: "instant?"
} as const

type UnprovenRow = ColumnRow<typeof bookingTable.columns>

/**
 * Reads the unproven bookings that limit new bookings, by network and by place. As in `makeFindOverlaps`, the queries
 * are the outer side of the join. Each query reads a single range of an index on unproven bookings.
 */
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
      queryWithRecords<UnprovenRow>(database, networkQuery, networkRecords),
      queryWithRecords<UnprovenRow>(database, placeQuery, placeRecords),
      (networkRows, placeRows) => [...networkRows, ...placeRows]
    )
    // The lock must be a separate statement. Only a later statement sees the rows that the previous lock holder
    // committed.
    return Effect.map(inOneTransaction(Effect.zipRight(lock, readRows)), (rows) => [
      ...new Map(rows.map((row) => [`${row.org_id} ${row.id}`, bookingTable.decode(row)])).values()
    ])
  }
}
