/**
 * The hot read: the live bookings that touch each of many spans, in one
 * statement.
 *
 * Its index is that of an offering's bookings by start. Bounded on both sides
 * it reads only what starts near a span; with the upper bound alone it would
 * read every booking that the offering ever had. `cross join` keeps the queries
 * outside: SQLite never reorders one, and a plan that began with the bookings
 * would read them all for each query.
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

interface Row {
  readonly at: number
  readonly starts_at: Instant
  readonly ends_at: Instant
  readonly bookings: number
  readonly quantity: number
}

/**
 * @since 0.1.0
 * @category reading
 */
export const touching = (database: Database["Type"]) => {
  const text = `
    select asked.at, b.starts_at, b.ends_at, count(*) as bookings, sum(b.quantity) as quantity
    from ${database.dialect.records("$1", asked)} as asked cross join bookings b
    where b.org_id = asked.org_id and b.offering_id = asked.offering_id
      and b.starts_at >= asked.starts_after and b.starts_at < asked.starts_before
      and b.ends_at > asked.ends_after
      and ${live("b", "$2")} and b.id is distinct from asked.except_id
    group by asked.at, b.starts_at, b.ends_at`

  return (queries: ReadonlyArray<TouchQuery>, now: Instant): Effect.Effect<ReadonlyArray<ReadonlyArray<Taken>>> => {
    const records = queries.map((query, at) => ({
      at,
      org_id: query.orgId,
      offering_id: query.offeringId,
      starts_after: query.startsAfter,
      starts_before: query.startsBefore,
      ends_after: query.endsAfter,
      except_id: query.except ?? null
    }))
    return Effect.map(queryFor<Row>(database, text, records, now), (rows) => {
      const taken = queries.map((): Array<Taken> => [])
      for (const { at, bookings, ends_at, quantity, starts_at } of rows) {
        taken[at]?.push({ startsAt: starts_at, endsAt: ends_at, bookings, quantity })
      }
      return taken
    })
  }
}
