/**
 * Reads the rows of reports. Each statement reads up to one page from a single index range, in index order. The
 * statements contain the status, because the indexes on payment time and on canceled bookings are partial.
 *
 * On SQLite, a page of 1,000 rows takes 10 to 20 ms, and a year of 100,000 bookings takes 1 to 2 seconds.
 */
import type { Attendance } from "@trailbook/core/booking"
import {
  type GuestStart,
  type OpenBooking,
  type ReceivedAmount,
  type ReportBooking,
  type ReportEntry,
  type ReportQuery,
  ReportStore,
  type StartBalance
} from "@trailbook/core/report"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { type Database, storeLayer } from "../Database.ts"
import type { SqlValue } from "../Dialect.ts"
import { minPosition } from "../statements.ts"

const columns = `b.offering_id as "offeringId", b.starts_at as "startsAt", b.ends_at as "endsAt", b.quantity,
  b.total_cents as "totalCents", b.currency`

interface BookingRow extends Omit<ReportBooking, "attendance" | "lines"> {
  readonly attendance: string
  readonly lines: string | null
}

interface DayRow extends StartBalance {
  readonly kind: "sum" | OpenBooking["kind"]
  readonly id: string
  readonly place: number
}

type EntryRow = Omit<ReportEntry, "recordedBy"> & { readonly recordedBy: string }

export const layer = storeLayer(ReportStore, (database: Database["Type"]) => {
  const { dialect, query } = database
  const [bookings, entries] = [dialect.table("bookings"), dialect.table("ledger_entries")]

  /**
   * Returns a function that reads a page of a table's rows, ordered by a time. If `usesFrom` is true, `$6` is `from`.
   */
  const makeReadPage = (
    { at, extraCondition, isTest, select, table, usesFrom = false }: {
      readonly select: string
      readonly table: string
      readonly at: string
      /** Conditions on the alias `b`. */
      readonly extraCondition: string
      /** Returns a condition that is true if a row belongs to a test account. `accounts` is a table expression. */
      readonly isTest: (accounts: string) => string
      readonly usesFrom?: boolean
    }
  ) => {
    const pageQuery = (condition: string) =>
      `select ${at} as at, b.id, ${select} from ${table} b
        where b.org_id = $1 and ${at} >= $2 and ${at} < $3 and (${at}, b.id) > ($2, $4)${extraCondition}${condition}
        order by ${at}, b.id limit $5`
    const all = pageQuery("")
    const withoutTests = pageQuery(
      ` and not ${isTest(`(select id from ${dialect.records(usesFrom ? "$7" : "$6", { id: "text" })} as test)`)}`
    )
    return <Row>({ after, from, limit, orgId, testAccounts, to }: ReportQuery) => {
      // The position `after` replaces the lower bound, so that the index scan starts there.
      const { at, id } = after ?? { at: from, id: minPosition.id }
      const values: ReadonlyArray<SqlValue> = [orgId, at, to, id, limit, ...(usesFrom ? [from] : [])]
      return testAccounts.length === 0
        ? query<Row>(all, values)
        : query<Row>(withoutTests, [...values, JSON.stringify(testAccounts.map((id) => ({ id })))])
    }
  }
  const hasTestEntry = (accounts: string) =>
    `exists (select 1 from ${entries} t
      where t.org_id = b.org_id and t.booking_id = b.id and t.connection in ${accounts})`
  const makeReadBookings = (at: string, select: string, extraCondition: string, usesFrom = false) =>
    makeReadPage({ table: bookings, at, select, extraCondition, isTest: hasTestEntry, usesFrom })

  const signedCents = "case l.kind when 'payment' then l.cents else -l.cents end"
  const sumEntries = (condition: string) =>
    `(select cast(coalesce(sum(${signedCents}), 0) as bigint) from ${entries} l
      where l.org_id = b.org_id and l.booking_id = b.id and ${condition})`
  const paid = sumEntries("(l.status = 'done' or (l.status = 'pending' and l.kind = 'refund'))")
  // Earlier server versions store no amount when they cancel a booking.
  const keptCents = `case when coalesce(b.keep_cents, 0) < ${paid} then coalesce(b.keep_cents, 0) else ${paid} end`
  const makeReadersByStatus = (at: string) => ({
    confirmed: makeReadBookings(
      at,
      `${columns}, cast(b.attendance as text) as attendance, cast(b.price -> 'lines' as text) as lines, null as "keptCents"`,
      " and b.status = 'confirmed'"
    ),
    cancelled: makeReadBookings(
      at,
      `${columns}, '{}' as attendance, null as lines, ${keptCents} as "keptCents"`,
      " and b.status = 'cancelled'"
    )
  })
  const readers = { start: makeReadersByStatus("b.starts_at"), booked: makeReadersByStatus("b.created_at") }

  const doneEntries = makeReadPage({
    table: entries,
    at: "b.done_at",
    select: `b.kind, b.method, b.cents, b.currency, cast(b.recorded_by as text) as "recordedBy"`,
    extraCondition: " and b.status = 'done'",
    isTest: (accounts) => `(b.connection is not null and b.connection in ${accounts})`
  })
  const receivedBefore = makeReadBookings(
    "b.starts_at",
    `b.currency, ${sumEntries("l.status = 'done' and l.done_at < $6")} as cents`,
    " and b.status <> 'held'",
    true
  )
  const firstStart = `(select f.starts_at from ${bookings} f
      where f.org_id = b.org_id and f.customer_id = b.customer_id and f.status = 'confirmed'
      order by f.starts_at, f.id limit 1)`
  const guestStarts = makeReadBookings(
    "b.starts_at",
    `b.customer_id as "customerId", ${firstStart} as "firstAt"`,
    " and b.status = 'confirmed'"
  )

  // The wide rows are read only once. The SQL computes the same amounts as `computeBalance`.
  const selectLargest = (kind: "due" | "owed") =>
    `select '${kind}' as kind, id, 0 - ${kind} as place from balanced where ${kind} > 0 order by place, id limit $6`
  // The index on expiring holds has few rows for the requested minutes.
  const holdsQuery = `select 'hold' as kind, id, expires_at as place from ${bookings}
    where org_id = $1 and status = 'held' and expires_at > $4 and expires_at <= $5 order by place, id limit $6`
  // Most bookings are settled and have no arrivals yet. Only the others are sorted.
  const dayQuery = `with settled as (
      select b.id, b.session_id, b.offering_id, b.starts_at, b.currency,
        cast(b.attendance ->> 'arrived' as bigint) as arrived,
        case b.status when 'confirmed' then b.total_cents else coalesce(b.keep_cents, 0) end as kept,
        case b.status when 'confirmed' then b.total_cents end as price,
        b.desk_cents + case
          when b.paid_at is null or (b.dispute <> 'won' and b.dispute_cents is null) then 0
          else coalesce(b.online_cents, b.total_cents)
            - case when b.refund is null then 0 else coalesce(b.refund_cents, b.total_cents) end
            - case when b.dispute <> 'won' then b.dispute_cents else 0 end
        end as paid
      from ${bookings} b where b.org_id = $1 and b.starts_at >= $2 and b.starts_at < $3 and b.status <> 'held'
    ), balanced as materialized (
      select id, session_id, offering_id, starts_at, currency, arrived,
        case when price > paid then price - paid else 0 end as due,
        case when paid > kept then paid - kept else 0 end as owed
      from settled where arrived > 0 or price > paid or paid > kept
    )
    select 'sum' as kind, null as id, 0 as place, session_id as "sessionId", offering_id as "offeringId",
      starts_at as "startsAt", currency, cast(coalesce(sum(arrived), 0) as bigint) as arrived,
      count(*) filter (where due > 0) as due, cast(sum(due) as bigint) as "dueCents",
      count(*) filter (where owed > 0) as owed, cast(sum(owed) as bigint) as "owedCents"
    from balanced group by session_id, offering_id, starts_at, currency
    ${
    [selectLargest("due"), selectLargest("owed"), holdsQuery].map((text, at) =>
      `union all select kind, id, place, null, null, null, null, 0, 0, 0, 0, 0 from (${text}) as part_${at}`
    ).join(" ")
  }`
  const kinds: ReadonlyArray<DayRow["kind"]> = ["due", "owed", "hold"]

  return {
    day: ({ expireBy, from, limit, now, orgId, to }) =>
      Effect.map(query<DayRow>(dayQuery, [orgId, from, to, now, expireBy, limit]), (rows) => ({
        balances: rows.filter(({ kind }) => kind === "sum").map(Struct.omit("id", "kind", "place")),
        open: rows.flatMap(({ id, kind, place }) => kind === "sum" ? [] : [{ id, kind, place }])
          .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.place - b.place || (a.id < b.id ? -1 : 1))
          .map(({ id, kind }) => ({ kind, id }))
      })),
    bookings: ({ basis, status, ...query }) =>
      Effect.map(readers[basis][status]<BookingRow>(query), (rows) =>
        rows.map(({ attendance, lines, ...row }) => ({
          ...row,
          lines: lines === null ? null : JSON.parse(lines),
          attendance: attendance === "{}" ? null : parseStatus(attendance)
        }))),
    entries: (query) =>
      Effect.map(
        doneEntries<EntryRow>(query),
        (rows) => rows.map(({ recordedBy, ...row }) => ({ ...row, recordedBy: JSON.parse(recordedBy) }))
      ),
    receivedBefore: (query) => receivedBefore<ReceivedAmount>(query),
    guestStarts: (query) => guestStarts<GuestStart>(query)
  }
})

const parseStatus = (attendance: string): Attendance["status"] => {
  const { status }: Attendance = JSON.parse(attendance)
  return status
}
