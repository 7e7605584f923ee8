import { BookingStore, type UpcomingBookingsPage } from "@trailbook/core/booking"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ColumnRecord, ColumnRow } from "../../Columns.ts"
import { type Database, storeLayer } from "../../Database.ts"
import type { SqlValue } from "../../Dialect.ts"
import {
  forUpdateClause,
  forUpdateSkipLockedClause,
  getSingleValue,
  keyColumns,
  keyCondition,
  minPosition,
  queryWithRecords,
  toOrgKey,
  toOrgKeyRecord
} from "../../statements.ts"
import * as Table from "../../Table.ts"
import {
  type BookingRecordRow,
  bookingTable,
  decodeBookingRecord,
  expiredCondition,
  liveCondition,
  selectRecords
} from "../../table/bookingTable.ts"
import { makeDepartureTotals, makeListFirstGuests } from "./departures.ts"
import { makeFindOverlaps, makeFindUnprovenBookings } from "./findOverlaps.ts"
import { makeListBookings } from "./listBookings.ts"

export const layer = storeLayer(BookingStore, (database) => {
  const { dialect, query, inOneTransaction, write } = database
  const table = dialect.table("bookings")
  const select = selectRecords(dialect, "left join")
  const byId = "order by b.id, b.org_id"
  const byKey = `${select} where b.org_id = $1 and b.id = $2`
  const byIdempotencyKey = `${select} where ${keyCondition(dialect, "b", "idempotency_key", "key")}`
  const byHandle = `${select} where b.handle = $1`
  const byCheckInToken = `${select} where b.check_in_token = $1`
  const byKeys = `${select} where ${keyCondition(dialect, "b")} ${byId}`
  const holdsExpiredBy = `select org_id, id from ${table}
    where status = 'held' and expires_at <= $1 order by expires_at, org_id, id limit $2`

  const forgetNetworks = `update ${table} set network = null where (org_id, id) in (
      select b.org_id, b.id from ${table} b where b.network is not null and b.created_at <= $1
      order by b.created_at, b.org_id, b.id limit $2${forUpdateSkipLockedClause(dialect, "b")}
    ) returning id`

  const newest = (bound: string) => `${select} where b.org_id = $1${bound} order by b.id desc limit $2`
  const newestFirst = newest("")
  const newestBelow = newest(" and b.id < $3")

  const decode = (rows: ReadonlyArray<BookingRecordRow>) => rows.map(decodeBookingRecord)
  const readRecords = (text: string, values: ReadonlyArray<SqlValue>) =>
    Effect.map(query<BookingRecordRow>(text, values), decode)

  // Lock the rows in a separate statement before the read. A single statement that waited for a lock would return the
  // offerings and guests as they were before the wait.
  const lockingQuery = (condition: string, limit = "") => {
    if (!dialect.locksRows) {
      return (values: ReadonlyArray<SqlValue>) => readRecords(`${select} where ${condition} ${byId}${limit}`, values)
    }
    const lock = `select b.org_id, b.id from ${table} b where ${condition} ${byId}${limit}${
      forUpdateClause(dialect, "b")
    }`
    return (values: ReadonlyArray<SqlValue>) =>
      Effect.flatMap(
        query<ColumnRecord<typeof keyColumns>>(lock, values),
        (rows) => Effect.map(queryWithRecords<BookingRecordRow>(database, byKeys, rows), decode)
      )
  }
  // If the keys are known, the lock and the read share a round trip. Rows are never deleted, so both statements find
  // the same rows.
  const lockingRead = (condition: string, text: string) => {
    const lock = `select from ${table} b where ${condition}${forUpdateClause(dialect, "b")}`
    return (values: ReadonlyArray<SqlValue>) =>
      dialect.locksRows
        ? inOneTransaction(Effect.zipRight(write(lock, values), readRecords(text, values)))
        : readRecords(text, values)
  }
  const lockByKey = lockingRead("b.org_id = $1 and b.id = $2", byKey)
  const lockByKeys = lockingRead(`${keyCondition(dialect, "b")} ${byId}`, byKeys)
  const lockInSession = lockingQuery("b.org_id = $1 and b.session_id = $2 and b.status <> 'cancelled'")
  const isUpcoming = `b.org_id = $1 and b.offering_id = $2 and b.status <> 'cancelled'
      and (b.status = 'held' or b.starts_at > $3)`
  const lockUpcoming = lockingQuery(isUpcoming)
  const pageOfUpcoming = (status: string, condition: string) =>
    `select b.starts_at, b.id, b.payment_intent_id is not null as paid, ${condition} as expired
      from ${table} b where b.org_id = $1 and b.offering_id = $2 and b.status = '${status}'
        and (b.starts_at, b.id) > ($3, $4) order by b.starts_at, b.id limit $5`
  const judgedAt = `coalesce(
        (select s.judged_at from ${dialect.table("sessions")} s where s.org_id = b.org_id and s.id = b.session_id),
        (select o.judged_at from ${dialect.table("offerings")} o where o.org_id = b.org_id and o.id = b.offering_id)
      )`
  // Each status has its own page query and its own bound. Holds are read regardless of their start time, but confirmed
  // bookings are read only if they start after a given time.
  const upcomingQueries = {
    held: pageOfUpcoming("held", expiredCondition("b", "$6", judgedAt)),
    confirmed: pageOfUpcoming("confirmed", "false")
  }
  const customerBookings = `from ${table} b where b.org_id = asked.org_id and b.customer_id = asked.id`
  // Each subquery reads a single entry from the index on customers' bookings.
  const nextOf = `with found as materialized (select asked.org_id, coalesce(
      (select b.id ${customerBookings} and b.ends_at > $2 and ${
    liveCondition("b", "$2")
  } order by b.starts_at, b.id limit 1),
      (select b.id ${customerBookings} order by b.starts_at desc, b.id desc limit 1)
    ) as id
    from ${dialect.records("$1", keyColumns)} as asked)
    ${select} where (b.org_id, b.id) in (select org_id, id from found where id is not null)`
  const lockOfCustomer = lockingQuery("b.org_id = $1 and b.customer_id = $2 and b.id > $3", " limit $4")

  return {
    find: (keys) => {
      const key = getSingleValue(keys)
      return Effect.map(
        key === undefined
          ? queryWithRecords<BookingRecordRow>(database, byKeys, keys.map(toOrgKeyRecord))
          : database.lookup<BookingRecordRow>(byKey, [key.orgId, key.id]),
        decode
      )
    },
    findByIdempotencyKey: (keys) => {
      const records = keys.map(({ key, orgId }) => ({ org_id: orgId, key }))
      return Effect.map(queryWithRecords<BookingRecordRow>(database, byIdempotencyKey, records), decode)
    },
    findByHandle: (handle) => Effect.map(readRecords(byHandle, [handle]), ([record]) => Option.fromNullable(record)),
    findByCheckInToken: (token) =>
      Effect.map(readRecords(byCheckInToken, [token]), ([record]) => Option.fromNullable(record)),
    list: makeListBookings(database),
    newest: ({ after, limit, orgId }) =>
      after === undefined ? readRecords(newestFirst, [orgId, limit]) : readRecords(newestBelow, [orgId, limit, after]),
    lock: (keys) => {
      const key = getSingleValue(keys)
      if (key !== undefined) return lockByKey([key.orgId, key.id])
      return keys.length === 0 ? Effect.succeed([]) : lockByKeys([JSON.stringify(keys.map(toOrgKeyRecord))])
    },
    lockInSession: ({ id, orgId }) => lockInSession([orgId, id]),
    lockUpcoming: ({ id, orgId }, now) => lockUpcoming([orgId, id, now]),
    countUpcoming: ({ id, orgId }, { after, limit, now, status }) => {
      const isHeld = status === "held"
      const position = after ?? (isHeld ? minPosition : { at: now + 1, id: "" })
      const values = [orgId, id, position.at, position.id, limit, ...(isHeld ? [now] : [])]
      return Effect.map(query<UpcomingRow>(upcomingQueries[status], values), (rows) => toUpcomingPage(rows, limit))
    },
    lockOfCustomer: ({ id, orgId }, after, limit) => lockOfCustomer([orgId, id, after, limit]),
    nextOf: (customers, now) =>
      Effect.map(queryWithRecords<BookingRecordRow>(database, nextOf, customers.map(toOrgKeyRecord), now), decode),
    overlapping: makeFindOverlaps(database),
    findUnproven: makeFindUnprovenBookings(database),
    forgetNetworks: (madeBefore, limit) =>
      Effect.map(database.execute(forgetNetworks, [madeBefore, limit]), ({ length }) => length),
    put: Table.put(database, bookingTable),
    update: Table.put(database, bookingTable, fixedColumns),
    holdsExpiredBy: (moment, limit) =>
      Effect.map(query<ColumnRow<typeof keyColumns>>(holdsExpiredBy, [moment, limit]), (rows) => rows.map(toOrgKey)),
    ...makeDepartureTotals(database),
    listFirstGuests: makeListFirstGuests(database),
    countConfirmed: makeCountConfirmed(database)
  }
})

/**
 * The columns of `immutableBookingFields`. Most of them are indexed, and SQLite would rewrite their index entries on
 * every update.
 */
const fixedColumns = [
  "offering_id",
  "customer_id",
  "currency",
  "reference",
  "handle",
  "check_in_token",
  "source",
  "created_at",
  "idempotency_key",
  "fingerprint"
] as const

interface UpcomingRow {
  readonly starts_at: number
  readonly id: string
  readonly paid: boolean | 0 | 1
  readonly expired: boolean | 0 | 1
}

const toUpcomingPage = (rows: ReadonlyArray<UpcomingRow>, limit: number): UpcomingBookingsPage => {
  const last = rows.at(-1)
  return {
    count: rows.length,
    expired: rows.filter(({ expired }) => expired).length,
    paid: rows.filter(({ paid }) => paid).length,
    next: last === undefined || rows.length < limit ? undefined : { at: last.starts_at, id: last.id }
  }
}

/** The length of a UTC day. Every day has the same length, because epoch milliseconds ignore leap seconds. */
const dayMs = 86_400_000

const spanColumns = {
  at: "integer",
  before: "instant",
  midnight: "instant",
  last: "instant",
  after: "instant",
  first_day: "integer",
  last_day: "integer"
} as const

/**
 * Counts confirmed bookings by creation time. Complete UTC days are summed from the table `booking_counts`, which is
 * updated by triggers in each booking's transaction. Only the partial days at both ends of a span are counted from
 * bookings, so a long span costs little more than a short one.
 */
const makeCountConfirmed = (database: Database["Type"]): BookingStore["Type"]["countConfirmed"] => {
  const { records, table } = database.dialect
  const countMade = (from: string, to: string) =>
    `(select count(*) from ${table("bookings")}
      where org_id = $2 and created_at >= asked.${from} and created_at < asked.${to} and status = 'confirmed')`
  const text = `select ${countMade("before", "midnight")} + ${countMade("last", "after")} + (
      select cast(coalesce(sum(confirmed), 0) as bigint) from ${table("booking_counts")}
      where org_id = $2 and day >= asked.first_day and day < asked.last_day
    ) as count
    from ${records("$1", spanColumns)} as asked order by asked.at`

  return (orgId, spans) =>
    Effect.map(
      queryWithRecords<{ readonly count: number }>(
        database,
        text,
        spans.map(({ from, to }, at) => ({ at, ...splitSpan(from, to) })),
        orgId
      ),
      (rows) => rows.map(({ count }) => count)
    )
}

/**
 * Splits a span into the part before the first midnight, the complete days, and the part after the last midnight. A
 * span with fewer than two midnights has no complete days.
 */
const splitSpan = (from: Instant, to: Instant) => {
  const first = Math.ceil(from / dayMs)
  const last = Math.floor(to / dayMs)
  return first < last
    ? { before: from, midnight: first * dayMs, last: last * dayMs, after: to, first_day: first, last_day: last }
    : { before: from, midnight: to, last: to, after: to, first_day: 0, last_day: 0 }
}
