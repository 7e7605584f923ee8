import { ClosureStore, DiscountStore, OfferingStore } from "@trailbook/core/offering"
import { type BookedSeats, SessionStore } from "@trailbook/core/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import * as Rows from "../Rows.ts"
import {
  keyCondition,
  makeFilterConditions,
  maxPosition,
  minPosition,
  queryWithRecords,
  toOrgKeyRecord,
  toOrgRecords
} from "../statements.ts"
import { expiredCondition, liveCondition } from "../table/bookingTable.ts"
import { closureTable, discountTable, offeringTable, sessionTable } from "../table/offeringTables.ts"

const offeringStore = Rows.layer(OfferingStore, offeringTable, "o", (rows, database) => {
  const lockOfOrg = `select o.id from ${rows.table} o
    where o.org_id = $1 and o.deleted_at is null order by o.id${rows.locked}`

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    lockOfOrg: (orgId) => Effect.asVoid(database.query(lockOfOrg, [orgId])),
    list: ({ after = minPosition, kind, limit, orgId }) => {
      const filter = makeFilterConditions({ "o.kind": kind }, 5)
      const text = `${rows.select}
        where o.org_id = $1 and o.deleted_at is null and (o.created_at, o.id) > ($2, $3)${filter.text}
        order by o.created_at, o.id limit $4`
      return rows.all(text, [orgId, after.at, after.id, limit, ...filter.values])
    },
    put: rows.put
  }
})

type Row = ColumnRow<typeof sessionTable.columns>

const sessionStore = Rows.layer(SessionStore, sessionTable, "s", (rows, database) => {
  const { dialect, query } = database
  const comingQuery = `${rows.select}
    where s.org_id = $1 and s.offering_id = $2 and s.starts_at > $3 and s.status = 'scheduled'
    order by s.id, s.org_id${rows.locked}`

  const bookings = dialect.table("bookings")
  const isInSession = (session: string) => `b.org_id = ${session}.org_id and b.session_id = ${session}.id`
  /** A subquery that counts the booked seats in a session. The database runs it only for rows on the page. */
  const bookedSeats = `(select coalesce(sum(b.quantity), 0) from ${bookings} b
      where ${isInSession("page")} and ${liveCondition("b", "$7", "page.judged_at")})`
  const parameters = { at: "integer", org_id: "text", id: "text", now: "instant", except_id: "text?" } as const
  const requestedSessions = `${dialect.records("$1", parameters)} as asked`
  const isCounted = `${isInSession("asked")} and b.id is distinct from asked.except_id`
  const isLive = liveCondition("b", "asked.now")
  // SQLite has an index on sessions' holds by expiry, so two subqueries read very few rows. Other databases read a
  // session's bookings once.
  const seatsQuery = dialect.lateral ?
    `select kept.* from ${requestedSessions} cross join lateral (
      select coalesce(sum(b.quantity) filter (where ${isLive}), 0) as booked,
        max(b.expires_at) filter (where ${expiredCondition("b", "asked.now")}) as "lapsedAt"
      from ${bookings} b where ${isCounted} and b.status <> 'cancelled'
    ) as kept order by asked.at` :
    `select (select coalesce(sum(b.quantity), 0) from ${bookings} b where ${isCounted} and ${isLive}) as booked,
      (select max(b.expires_at) from ${bookings} b
        where ${isCounted} and b.status = 'held' and ${expiredCondition("b", "asked.now")}) as lapsedAt
    from ${requestedSessions} order by asked.at`

  return {
    list: (
      { after = minPosition, from = minPosition.at, limit, now, offeringId, orgId, status, to = maxPosition.at }
    ) => {
      const filter = makeFilterConditions({ offering_id: offeringId, status }, 8)
      const text = `select ${toSelectList(sessionTable.columns, "page")}, ${bookedSeats} as booked from (
          select * from ${rows.table}
          where org_id = $1 and starts_at >= $2 and starts_at < $3 and (starts_at, id) > ($4, $5)${filter.text}
          order by starts_at, id limit $6
        ) page order by page.starts_at, page.id`
      // Pass the greater of the two lower bounds, because a database uses only one of them.
      const values = [orgId, Math.max(from, after.at), to, after.at, after.id, limit, now, ...filter.values]
      return Effect.map(
        query<Row & { readonly booked: number }>(text, values),
        (rows) => rows.map((row) => ({ session: sessionTable.decode(row), booked: row.booked }))
      )
    },
    find: rows.findAll,
    lock: rows.lockAll,
    lockUpcoming: ({ id, orgId }, now) => rows.all(comingQuery, [orgId, id, now]),
    countBookedSeats: (queries) =>
      queryWithRecords<BookedSeats>(
        database,
        seatsQuery,
        queries.map(({ except, now, ...key }, at) => ({ at, ...toOrgKeyRecord(key), now, except_id: except ?? null }))
      ),
    put: rows.put
  }
})

const closureStore = Rows.layer(ClosureStore, closureTable, "c", (rows, { dialect, lookup, write }) => {
  const listQuery = `${rows.select}
    where c.org_id = $1 and c.to_date >= $2 and (c.from_date, c.id) > ($3, $4)
    order by c.from_date, c.id limit $5`
  const sinceQuery = `${rows.select}
    where c.org_id in (select org_id from ${dialect.records("$1", { org_id: "text" })} as asked) and c.to_date >= $2`
  return {
    find: rows.find,
    lock: rows.lock,
    list: ({ after = minPosition, limit, orgId, since = minPosition.at }) =>
      rows.all(listQuery, [orgId, since, after.at, after.id, limit]),
    // This lookup shares a round trip with the offering and the org.
    since: (orgIds, date) =>
      orgIds.length === 0
        ? Effect.succeed([])
        : Effect.map(
          lookup<ColumnRow<typeof closureTable.columns>>(sinceQuery, [toOrgRecords(orgIds), date]),
          (rows) => rows.map(closureTable.decode)
        ),
    put: rows.putOne,
    remove: rows.remove(write)
  }
})

const discountStore = Rows.layer(DiscountStore, discountTable, "d", (rows, database) => {
  const { dialect, write } = database
  const byCode = rows.by("org_id", "code")
  const lockByCodes = `${rows.select} where ${
    keyCondition(dialect, "d", "code", "code")
  } order by d.id, d.org_id${rows.locked}`
  const listQuery = `${rows.select}
    where d.org_id = $1 and (d.created_at, d.id) > ($2, $3) order by d.created_at, d.id limit $4`
  const revenueCents = "case when b.status = 'confirmed' and b.currency = o.currency then b.total_cents end"
  const uses = `select d.id, count(b.id) as uses, coalesce(sum(${revenueCents}), 0) as revenue
    from ${rows.table} d
    join ${dialect.table("orgs")} o on o.id = d.org_id
    left join ${dialect.table("bookings")} b
      on b.org_id = d.org_id and ${dialect.jsonText("b.price", "terms", "discount", "id")} = d.id
      and (
        b.status = 'confirmed' or (b.status = 'held' and b.expires_at > $2)
        or (b.status = 'cancelled' and b.confirmed_at is not null and not d.returns_on_cancel)
      )
    where ${keyCondition(dialect, "d")}
    group by d.id`
  return {
    lock: rows.lock,
    findByCode: ({ code, orgId }) => byCode(orgId, code),
    lockByCode: (keys) => rows.ofRecords(lockByCodes, keys.map(({ code, orgId }) => ({ org_id: orgId, code }))),
    list: ({ after = minPosition, limit, orgId }) => rows.all(listQuery, [orgId, after.at, after.id, limit]),
    uses: (keys, now) =>
      Effect.map(
        queryWithRecords<{
          readonly id: string
          readonly uses: number | string
          readonly revenue: number | string
        }>(database, uses, keys.map(toOrgKeyRecord), now),
        (rows) => rows.map(({ id, revenue, uses }) => ({ id, uses: Number(uses), revenueCents: Number(revenue) }))
      ),
    put: rows.putOne,
    remove: rows.remove(write)
  }
})

export const layer = Layer.mergeAll(offeringStore, sessionStore, closureStore, discountStore)
