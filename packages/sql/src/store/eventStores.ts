import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { EventLog, maxYoungEvents, type NewEvent } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import { storeLayer } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { claimAssignment, claimCondition, freeLeaseCondition } from "../lease.ts"
import * as Rows from "../Rows.ts"
import { hasRows, makeFilterConditions, toOrgRecords } from "../statements.ts"
import { eventTable } from "../table/workTables.ts"

type Row = ColumnRow<typeof eventTable.columns>

/** If the page has no events, its only row contains just the next cursor. */
type PageRow = { readonly next: number } & (Row | { readonly [Name in keyof Row]: null })

const eventLog = Rows.layer(EventLog, eventTable, "e", (rows, database) => {
  const { dialect, query, inOneTransaction, write } = database
  // Locks the counters in org order, regardless of event order, so that transactions cannot deadlock. If the org has
  // webhooks, its counter is also marked for delivery (webhookStores.ts).
  const incrementCounters = `insert into ${dialect.table("event_counters")} as counter (org_id, last)
    select org_id, added from ${dialect.records("$1", { org_id: "text", added: "integer" })} as counted
    where true order by org_id
    on conflict (org_id) do update set last = counter.last + excluded.last,
      undelivered = case when counter.undelivered is not null then true end`
  // The last event of an org gets the new counter as its ID. The parameter contains each event's distance from the
  // org's last event.
  const names = Object.keys(eventTable.columns)
  const insert = `insert into ${rows.table} (${names.join(", ")})
    select ${names.map((name) => name === "id" ? "counter.last - given.id" : `given.${name}`).join(", ")}
    from ${dialect.records("$1", eventTable.columns)} as given
      join ${dialect.table("event_counters")} counter on counter.org_id = given.org_id`

  // Search for unsettled events only among the newest events, after the cursor, and up to the end of the page. This
  // range is empty for a reader far behind the end of the log, and small for a reader near the end.
  const page = (filter: string) => `
    with found as materialized (
      select * from ${rows.table} where org_id = $1 and id > $4${filter} order by id limit $5
    ), newest as materialized (
      select coalesce((select e.id from ${rows.table} e where e.org_id = $1 order by e.id desc limit 1), 0) as id
    ), bounds as materialized (
      select case when $4 > newest.id - ${maxYoungEvents} then $4 else newest.id - ${maxYoungEvents} end as above,
        case when (select count(*) from found) = $5 then (select max(id) from found)
          when $4 > newest.id then $4 else newest.id end as upto
      from newest
    ), head as materialized (
      select coalesce((
        select e.id - 1 from ${rows.table} e
        where e.org_id = $1 and e.id > (select above from bounds) and e.id <= (select upto from bounds)
          and e.created_at > $2 and e.created_at < $3
        order by e.id limit 1
      ), (select upto from bounds)) as id
    )
    select head.id as next, ${toSelectList(eventTable.columns, "page")}
    from head left join found page on page.id <= head.id order by page.id`
  const latest = `select ${toSelectList(eventTable.columns, "page")} from (
      select * from ${rows.table} where org_id = $1 order by id desc limit $2
    ) page order by page.id`
  const about = `${rows.select} where e.org_id = $1 and e.customer_id = $2 and e.id > $3 order by e.id limit $4`
  const latestAbout = `${rows.select} where e.org_id = $1 and e.customer_id = $2
    and e.type in (select type from ${dialect.records("$3", { type: "text" })} as asked) order by e.id desc limit $4`
  const relabel = `update ${rows.table} set customer_id = $3 where org_id = $1 and customer_id = $2`
  const rewrite = `update ${rows.table} as event set data = asked.data
    from ${dialect.records("$2", { id: "integer", data: "json" })} as asked
    where event.org_id = $1 and event.id = asked.id`

  const touch = `insert into ${dialect.table("event_counters")} as counter (org_id, last, touched) values ($1, 0, 1)
    on conflict (org_id) do update set touched = counter.touched + 1`
  const heads = `select counter.org_id, counter.last + counter.touched as head
    from ${dialect.table("event_counters")} counter
    where counter.org_id in (select org_id from ${dialect.records("$1", { org_id: "text" })} as asked)
      and counter.last + counter.touched > 0`

  return {
    append: (events) =>
      events.length === 0 ? Effect.void : inOneTransaction(Effect.zipRight(
        write(incrementCounters, [JSON.stringify(countByOrg(events))]),
        write(insert, [JSON.stringify(toDistances(events).map(eventTable.encode))])
      )),
    page: ({ after, limit, orgId, type, youngAfter, youngBefore }) => {
      const filter = makeFilterConditions({ type }, 6)
      const values = [orgId, youngAfter, youngBefore, after, limit, ...filter.values]
      return Effect.map(query<PageRow>(page(filter.text), values), (rows) => ({
        events: rows.flatMap((row) => row.id === null ? [] : [eventTable.decode(row)]),
        nextAfter: rows[0]?.next ?? after
      }))
    },
    latest: (orgId, limit) => rows.all(latest, [orgId, limit]),
    about: (orgId, person, after, limit) => rows.all(about, [orgId, person, after, limit]),
    latestAbout: (orgId, person, types, limit) =>
      rows.all(latestAbout, [orgId, person, JSON.stringify(types.map((type) => ({ type }))), limit]),
    relabel: (orgId, from, to) => write(relabel, [orgId, from, to]),
    rewrite: (orgId, events) =>
      database.erase(rewrite, [orgId, JSON.stringify(events.map(({ data, id }) => ({ id, data })))]),
    touch: (orgId) => write(touch, [orgId]),
    heads: (orgIds) =>
      Effect.map(
        query<{ readonly org_id: string; readonly head: number }>(heads, [toOrgRecords(orgIds)]),
        (rows) => rows.map(({ head, org_id }) => ({ orgId: org_id, head }))
      )
  }
})

/** Counts the new events of each org. */
const countByOrg = (events: ReadonlyArray<NewEvent>) => {
  const counts = new Map<string, number>()
  for (const { orgId } of events) counts.set(orgId, (counts.get(orgId) ?? 0) + 1)
  return [...counts].map(([org_id, added]) => ({ org_id, added }))
}

/** Replaces the ID of each event with the number of later events of the same org. */
const toDistances = (events: ReadonlyArray<NewEvent>) => {
  const laterCounts = new Map<string, number>()
  return events.toReversed().map((event) => {
    const id = laterCounts.get(event.orgId) ?? 0
    laterCounts.set(event.orgId, id + 1)
    return { ...event, id }
  }).toReversed()
}

const keyColumns = { org_id: "text", name: "text" } as const

const beginningColumns = { ...keyColumns, from_start: "boolean" } as const

type WaitingRow = ColumnRow<typeof keyColumns> & { readonly cursor: number | null }

type ClaimRow = ColumnRow<typeof claimColumns>

const claimColumns = { ...keyColumns, fence: "integer", cursor: "integer", failures: "integer" } as const

const isAvailableSubscription = (dialect: Dialect): string =>
  `${freeLeaseCondition(dialect, "s")} and (s.retry_at is null or s.retry_at <= ${dialect.now})`

/** Returns a query that finds the subscriptions in `keys` that have pending events or do not exist yet. */
export const waitingSubscriptionsQuery = (dialect: Dialect, keys: `$${number}`): string =>
  `select asked.org_id, asked.name, s.cursor
      from ${dialect.records(keys, keyColumns)} as asked
        left join ${dialect.table("subscriptions")} s on s.org_id = asked.org_id and s.name = asked.name
        left join ${dialect.table("event_counters")} counter on counter.org_id = asked.org_id
      where s.name is null or (counter.last > s.cursor and ${isAvailableSubscription(dialect)})`

/**
 * A worker checks all of its subscriptions with one statement outside a transaction, because subscriptions rarely have
 * pending events. It then claims each row by its key.
 */
const subscriptionStore = storeLayer(SubscriptionStore, ({ dialect, execute, query, write }) => {
  const { now, records } = dialect
  const table = dialect.table("subscriptions")
  const counters = dialect.table("event_counters")
  const isAvailable = isAvailableSubscription(dialect)

  // Insert rows in key order, so that two processes inserting the same rows cannot deadlock.
  const begin = `insert into ${table} (org_id, name, cursor)
    select given.org_id, given.name, case when given.from_start then 0 else coalesce(counter.last, 0) end
    from ${records("$1", beginningColumns)} as given
      left join ${counters} counter on counter.org_id = given.org_id
    where true order by given.org_id, given.name
    on conflict (org_id, name) do nothing`
  const waitingQuery = waitingSubscriptionsQuery(dialect, "$1")
  const claim = `update ${table} as s set ${claimAssignment(dialect, "$3")}
    where s.org_id = $1 and s.name = $2 and ${isAvailable}
    returning ${Object.keys(claimColumns).join(", ")}`

  const makeUpdate = (set: string) => {
    const text = `update ${table} set ${set}
      where org_id = $1 and name = $2 and ${claimCondition("$3")} returning fence`
    return ({ fence, name, orgId }: SubscriptionClaim, ...values: ReadonlyArray<SqlValue>) =>
      hasRows(execute(text, [orgId, name, fence, ...values]))
  }
  const advance = makeUpdate(`cursor = $4, failures = 0, retry_at = null, lease_until = ${now} + $5`)
  const postpone = makeUpdate(`failures = failures + 1, retry_at = ${now} + $4, lease_until = null`)
  const release = makeUpdate("lease_until = null")
  const releaseAndAdvance = makeUpdate("cursor = $4, failures = 0, retry_at = null, lease_until = null")

  return {
    begin: (subscriptions) =>
      subscriptions.length === 0 ? Effect.void : write(begin, [
        JSON.stringify(
          subscriptions.map((subscription) => ({
            ...toKeyRecord(subscription),
            from_start: subscription.from === "start"
          }))
        )
      ]),
    waiting: (subscriptions) =>
      subscriptions.length === 0 ? Effect.succeed([]) : Effect.map(
        query<WaitingRow>(waitingQuery, [JSON.stringify(subscriptions.map(toKeyRecord))]),
        (rows) => rows.map(({ cursor, name, org_id }) => ({ orgId: org_id, name, cursor }))
      ),
    claim: (subscription, leaseMs) =>
      Effect.map(
        execute<ClaimRow>(claim, [subscription.orgId, subscription.name, leaseMs]),
        ([row]) => Option.map(Option.fromNullable(row), toClaim)
      ),
    advance,
    postpone,
    release: (claim, cursor) => Effect.asVoid(cursor === undefined ? release(claim) : releaseAndAdvance(claim, cursor))
  }
})

const toKeyRecord = ({ name, orgId }: SubscriptionKey) => ({ org_id: orgId, name })

const toClaim = ({ cursor, failures, fence, name, org_id }: ClaimRow): SubscriptionClaim => ({
  orgId: org_id,
  name,
  fence,
  cursor,
  failures
})

export const layer = Layer.mergeAll(eventLog, subscriptionStore)
