/**
 * The hot read: the live bookings that touch each of many spans, in one
 * statement.
 *
 * Its index is that of an offering's bookings by start. Bounded on both sides
 * it reads only what starts near a span; with the upper bound alone it would
 * read every booking that the offering ever had. A plan that began with the
 * bookings would read them all for each query, so the queries stand outside:
 * SQLite never reorders a `cross join`, Postgres cannot begin with a subquery that
 * looks at the query.
 *
 * @since 0.1.0
 */
import type { TouchQuery } from "@trailbook/core/booking/BookingStore"
import type { Taken } from "@trailbook/core/capacity/kept"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import { queryFor } from "../records.ts"
import { live } from "../table/live.ts"

const asked = {
  at: "integer",
  org_id: "text",
  offering_id: "text",
  starts_after: "instant",
  starts_before: "instant",
  ends_after: "instant",
  except_id: "text?"
} as const

interface Row extends Taken {
  readonly at: number
}

const counted = `b.starts_at as "startsAt", b.ends_at as "endsAt", count(*) as bookings, sum(b.quantity) as quantity`

type Span = readonly [startsAt: Instant, endsAt: Instant, bookings: number, quantity: number]

const spansOf = (text: string): ReadonlyArray<Taken> =>
  (JSON.parse(text) as ReadonlyArray<Span>).map(([startsAt, endsAt, bookings, quantity]) => ({
    startsAt,
    endsAt,
    bookings,
    quantity
  }))

/**
 * @since 0.1.0
 * @category reading
 */
export const touching = (database: Database["Type"]) => {
  const { gathered, lateral, records, table } = database.dialect
  const bookings = table("bookings")
  // Materialized, or every booking that is looked at would read the query's fields out of its JSON again: twice the time.
  const given = `with asked as materialized (select * from ${records("$1", asked)} as given)`
  const touched = `where b.org_id = asked.org_id and b.offering_id = asked.offering_id
      and b.starts_at >= asked.starts_after and b.starts_at < asked.starts_before
      and b.ends_at > asked.ends_after
      and ${live("b", "$2")} and b.id is distinct from asked.except_id`
  const ofMany = lateral ?
    `${given}
    select asked.at, taken.* from asked cross join lateral (
      select ${counted} from ${bookings} b ${touched} group by b.starts_at, b.ends_at
    ) as taken` :
    `${given}
    select asked.at, ${counted} from asked cross join ${bookings} b ${touched}
    group by asked.at, b.starts_at, b.ends_at`
  // A year of availability is one query: it is grouped in the index's own order, without sorting, and read as one text.
  const ofOne = `
    select ${gathered(`"startsAt"`, `"endsAt"`, "bookings", "quantity")} as spans
    from (
      select ${counted}
      from ${bookings} b
      where b.org_id = $1 and b.offering_id = $2
        and b.starts_at >= $3 and b.starts_at < $4 and b.ends_at > $5
        and ${live("b", "$6")} and b.id is distinct from $7
      group by b.starts_at, b.ends_at
    ) as taken`

  const touchingOne = ({ endsAfter, except, offeringId, orgId, startsAfter, startsBefore }: TouchQuery, now: Instant) =>
    Effect.map(
      database.query<{ readonly spans: string }>(
        ofOne,
        [orgId, offeringId, startsAfter, startsBefore, endsAfter, now, except ?? null]
      ),
      ([row]) => [spansOf(row?.spans ?? "[]")]
    )

  return (queries: ReadonlyArray<TouchQuery>, now: Instant): Effect.Effect<ReadonlyArray<ReadonlyArray<Taken>>> => {
    const [only, ...more] = queries
    if (only !== undefined && more.length === 0) return touchingOne(only, now)
    const records = queries.map((query, at) => ({
      at,
      org_id: query.orgId,
      offering_id: query.offeringId,
      starts_after: query.startsAfter,
      starts_before: query.startsBefore,
      ends_after: query.endsAfter,
      except_id: query.except ?? null
    }))
    return Effect.map(queryFor<Row>(database, ofMany, records, now), (rows) => {
      const taken = queries.map((): Array<Taken> => [])
      for (const { at, ...one } of rows) taken[at]?.push(one)
      return taken
    })
  }
}
