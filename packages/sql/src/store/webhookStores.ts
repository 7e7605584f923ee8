/**
 * Tracks which orgs have events to deliver, by marking their event counters.
 *
 * Workers poll several times per second, and events are rarely pending. Comparing every endpoint's cursor with its
 * org's log would be wasteful, so workers read an index of marked counters. Three actions mark a counter: counting a
 * new event, rewinding an endpoint, and delivering to a stopped endpoint. The worker that finds no remaining backlog
 * clears the mark.
 *
 * A stale mark costs one check of the org's endpoints. A missing mark would delay the org's deliveries until its next
 * event. Marks are therefore set and cleared while the counter is locked, and the backlog is read under that lock.
 */
import { type DeliveryClaim, DeliveryQueue, type Webhook, WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ColumnRecord, type ColumnRow, toSelectList } from "../Columns.ts"
import { type Database, storeLayer } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import * as Lease from "../lease.ts"
import * as Rows from "../Rows.ts"
import { forUpdateSkipLockedClause, hasRows, toOrgRecords } from "../statements.ts"
import { eventTable, webhookTable } from "../table/workTables.ts"

const progressColumns = { cursor: "integer", stopped_at: "integer?" } as const

const insertColumns = { ...webhookTable.columns, cursor: "integer" } as const

const webhookStore = Rows.layer(WebhookStore, webhookTable, "w", (rows, database) => {
  const { dialect, execute, query, transaction, write } = database
  const markBacklog = makeMarkBacklog(database)
  // Lock the counter, so that this statement waits for transactions that are about to commit an event. Later events
  // have IDs above the new endpoint's cursor.
  const lockCounter = `insert into ${dialect.table("event_counters")} as counter (org_id, last, undelivered)
    values ($1, 0, false)
    on conflict (org_id) do update set undelivered = coalesce(counter.undelivered, false)
    returning last`
  const names = Object.keys(insertColumns).join(", ")
  const insert = `insert into ${rows.table} (${names})
    select ${names} from ${dialect.records("$1", insertColumns)} as given where true`
  const progress = `select ${toSelectList(progressColumns, "w")} from ${rows.table} w where w.org_id = $1 and w.id = $2`
  // This statement spans all orgs, because the engine itself runs it.
  const pageQuery = `${rows.select} where w.id > $1 order by w.id limit $2`
  const whereKey = "where org_id = $1 and id = $2"
  const remove = `delete from ${rows.table} ${whereKey} returning id`
  const rewind = `update ${rows.table}
    set cursor = $3, stopped_at = null, retry_at = null, lease_until = null ${whereKey} returning id`
  const reseal = `update ${rows.table} set sealed_secret = $4 ${whereKey} and sealed_secret = $3`

  const toRecord = (webhook: Webhook, cursor: number): ColumnRecord<typeof insertColumns> => ({
    ...webhookTable.encode(webhook),
    cursor
  })

  return {
    add: (webhook) =>
      transaction(Effect.flatMap(
        execute<{ readonly last: number }>(lockCounter, [webhook.orgId]),
        ([counter]) => write(insert, [JSON.stringify([toRecord(webhook, counter?.last ?? 0)])])
      )),
    find: rows.find,
    progress: ({ id, orgId }) =>
      Effect.map(
        query<ColumnRow<typeof progressColumns>>(progress, [orgId, id]),
        ([row]) => Option.map(Option.fromNullable(row), ({ cursor, stopped_at: stoppedAt }) => ({ cursor, stoppedAt }))
      ),
    list: rows.ofOrg,
    remove: ({ id, orgId }) => hasRows(execute(remove, [orgId, id])),
    rewind: ({ id, orgId }, after) =>
      transaction(Effect.flatMap(
        execute(rewind, [orgId, id, after]),
        ({ length }) => length === 0 ? Effect.succeed(false) : Effect.as(markBacklog(orgId), true)
      )),
    page: (after, limit) => rows.all(pageQuery, [after, limit]),
    reseal: (webhook, replacement) => write(reseal, [webhook.orgId, webhook.id, webhook.sealedSecret, replacement])
  }
})

const claimColumns = {
  ...webhookTable.columns,
  cursor: "integer",
  stopped_at: "integer?",
  fence: "integer",
  retry_due: "boolean"
} as const

type ClaimRow = ColumnRow<typeof claimColumns>

type EventRow = ColumnRow<typeof eventTable.columns>

interface DueRow {
  /** The marked orgs that have no backlog, as JSON. */
  readonly served: string
  readonly waits: boolean | 0 | 1
}

/** If no events are pending, the only row contains just the head. */
type PendingRow = { readonly head: number } & (EventRow | { readonly [Name in keyof EventRow]: null })

/**
 * Returns a query that finds the endpoints with pending events or a due retry, including leased endpoints. The first
 * part reads the index on marked counters, and the second reads the one on retry times. Both indexes are partial and
 * contain few rows.
 */
export const waitingEndpointsQuery = ({ now, table }: Dialect): string =>
  `select w.org_id, w.id, counter.last as head
        from ${table("event_counters")} counter join ${table("webhooks")} w on w.org_id = counter.org_id
        where counter.undelivered and ${hasBacklog}
      union all
      select w.org_id, w.id, 0 as head from ${table("webhooks")} w where w.active and w.retry_at <= ${now}`

/**
 * A worker first runs a plain query outside a transaction. A second statement claims an endpoint only if the query
 * found one waiting. By then, the endpoint may no longer be available.
 */
const deliveryQueue = storeLayer(DeliveryQueue, (database) => {
  const { dialect, execute, query, transaction } = database
  const { now } = dialect
  const counters = dialect.table("event_counters")
  const webhooks = dialect.table("webhooks")
  const markBacklog = makeMarkBacklog(database)
  const clearMarks = makeClearMarks(database)

  const waitingQuery = waitingEndpointsQuery(dialect)
  const isAmong = (orgs: `$${number}`) =>
    `w.org_id in (select org_id from ${dialect.records(orgs, { org_id: "text" })} as passed_over)`
  const isFree = (exceptOrgs: `$${number}`, exceptStoppedOf: `$${number}`, exceptStopped: `$${number}`) =>
    `${Lease.freeLeaseCondition(dialect, "w")} and not ${isAmong(exceptOrgs)}
      and (w.stopped_at is null or (${exceptStopped} = 0 and not ${isAmong(exceptStoppedOf)}))`
  const dueQuery = `select (
      select ${dialect.gathered("org_id")}
      from (select counter.org_id from ${counters} counter where ${noBacklogCondition(dialect)} limit 100) served
    ) as served, exists (
      select 1 from (${waitingQuery}) waiting join ${webhooks} w on w.org_id = waiting.org_id and w.id = waiting.id
      where ${isFree("$1", "$2", "$3")}
    ) as waits`
  // If another worker releases the row after this statement has started, the database reads the row again and checks
  // the conditions on the current values.
  const claim = `with waiting as materialized (${waitingQuery}), next as materialized (
      select w.org_id as next_org_id, w.id as next_id
      from waiting join ${webhooks} w on w.org_id = waiting.org_id and w.id = waiting.id
      where (coalesce(w.stopped_at, w.cursor) < waiting.head or w.retry_at <= ${now}) and ${isFree("$2", "$3", "$4")}
      order by w.last_attempt_at nulls first, w.org_id, w.id limit 1${forUpdateSkipLockedClause(dialect, "w")}
    )
    update ${webhooks} set ${Lease.claimAssignment(dialect, "$1")}
    from next where org_id = next_org_id and id = next_id
    returning ${Object.keys(webhookTable.columns).join(", ")}, cursor, stopped_at, fence,
      coalesce(retry_at <= ${now}, false) as retry_due`

  const makeUpdate = (set: string) => {
    const text = `update ${webhooks} set ${set}
      where org_id = $1 and id = $2 and ${Lease.claimCondition("$3")} returning id`
    return ({ fence, webhook: { id, orgId } }: DeliveryClaim, ...values: ReadonlyArray<SqlValue>) =>
      hasRows(execute(text, [orgId, id, fence, ...values]))
  }
  const recordDelivery = makeUpdate(`cursor = $4, last_status = $5, last_error = null, last_attempt_at = ${now},
    stopped_at = null, retry_at = null, lease_until = ${now} + $6`)
  const renew = makeUpdate(`lease_until = ${now} + $4`)
  const recordFailure = makeUpdate(`last_status = $4, last_error = $5, last_attempt_at = ${now},
    stopped_at = coalesce((select counter.last from ${counters} counter where counter.org_id = $1), 0),
    retry_at = ${now} + $6, lease_until = null`)
  const release = makeUpdate("lease_until = null")
  const releaseAndAdvance = makeUpdate(
    `lease_until = null, cursor = case when stopped_at is null then $4 else cursor end,
    stopped_at = case when stopped_at is null then stopped_at else $4 end`
  )

  const pendingQuery = (types: ReadonlyArray<string> | undefined) =>
    `with head as materialized (
      select coalesce((select counter.last from ${counters} counter where counter.org_id = $1), 0) as id
    )
    select head.id as head, ${toSelectList(eventTable.columns, "page")}
    from head left join (${eventPageQuery(dialect.table("events"), types)}) page on true order by page.id`

  return {
    claim: ({ exceptOrgs, exceptStoppedOf, leaseMs }) =>
      Effect.gen(function*() {
        const exceptsAllStopped = exceptStoppedOf === "every"
        const exceptValues = [
          toOrgRecords(exceptOrgs),
          toOrgRecords(exceptsAllStopped ? [] : exceptStoppedOf),
          exceptsAllStopped ? 1 : 0
        ]
        const [dueRow] = yield* query<DueRow>(dueQuery, exceptValues)
        const servedOrgs: ReadonlyArray<readonly [orgId: string]> = JSON.parse(dueRow?.served ?? "[]")
        if (servedOrgs.length > 0) yield* clearMarks(servedOrgs.map(([orgId]) => orgId))
        if (!dueRow?.waits) return Option.none()
        const [row] = yield* execute<ClaimRow>(claim, [leaseMs, ...exceptValues])
        return Option.map(Option.fromNullable(row), toClaim)
      }),
    pending: ({ events, orgId }, after, limit) => {
      const types = events.includes("*") ? undefined : [...new Set(events)]
      return Effect.map(query<PendingRow>(pendingQuery(types), [orgId, after, limit, ...types ?? []]), (rows) => ({
        events: rows.flatMap((row) => row.id === null ? [] : [eventTable.decode(row)]),
        head: rows[0]?.head ?? 0
      }))
    },
    recordSuccess: (claim, cursor, status, leaseMs) => {
      const update = recordDelivery(claim, cursor, status, leaseMs)
      if (claim.stoppedAt === null) return update
      return transaction(
        Effect.tap(update, (isValid) => isValid ? markBacklog(claim.webhook.orgId) : Effect.void)
      )
    },
    renew,
    recordFailure: (claim, { fault, retryMs, status }) => recordFailure(claim, status, fault, retryMs),
    release: (claim, cursor) => Effect.asVoid(cursor === undefined ? release(claim) : releaseAndAdvance(claim, cursor))
  }
})

const toClaim = (row: ClaimRow): DeliveryClaim => ({
  webhook: webhookTable.decode(row),
  fence: row.fence,
  cursor: row.cursor,
  stoppedAt: row.stopped_at,
  retryDue: Boolean(row.retry_due)
})

/**
 * Returns a query for at most `$3` events after `$2`. It reads up to `$3` events of each requested type from the index
 * by type. If it scanned the log instead, an endpoint that was stopped for a month and receives only rare events would
 * read the entire month on every attempt.
 */
const eventPageQuery = (eventsTable: string, types: ReadonlyArray<string> | undefined): string => {
  const selectEvents = (condition: string) =>
    `select * from ${eventsTable} where org_id = $1 and id > $2${condition} order by id limit $3`
  if (types === undefined) return selectEvents("")
  if (types.length === 0) return selectEvents(" and false")
  const typeQueries = types.map((_, at) => `select * from (${selectEvents(` and type = $${at + 4}`)}) of_type_${at}`)
  return `select * from (${typeQueries.join(" union all ")}) of_types order by id limit $3`
}

/** True if the endpoint `w` has not received its org's newest event, or stopped at an older event. */
const hasBacklog = "w.active and coalesce(w.stopped_at, w.cursor) < counter.last"

/** Returns a function that marks an org. Call it in the transaction that changed one of the org's endpoints. */
const makeMarkBacklog = ({ dialect, write }: Database["Type"]) => {
  // Update the counter even if it is already marked, because the update waits for a transaction that is about to clear
  // the mark.
  const text = `update ${dialect.table("event_counters")} set undelivered = true where org_id = $1`
  return (orgId: string): Effect.Effect<void> => write(text, [orgId])
}

/** Returns a condition that is true if the counter is marked even though no endpoint has a backlog. */
export const noBacklogCondition = ({ table }: Dialect): string =>
  `counter.undelivered and not exists (
    select 1 from ${table("webhooks")} w where w.org_id = counter.org_id and ${hasBacklog}
  )`

/**
 * Returns a function that clears the marks of orgs after checking again that they have no backlog. It skips locked
 * counters, because another transaction is about to mark them again.
 */
const makeClearMarks = ({ dialect, execute, transaction, write }: Database["Type"]) => {
  const counters = dialect.table("event_counters")
  const isRequested = `counter.org_id in (select org_id from ${dialect.records("$1", { org_id: "text" })} as asked)`
  const lock = `select counter.org_id from ${counters} counter where ${isRequested}
    order by counter.org_id${forUpdateSkipLockedClause(dialect, "counter")}`
  // If the org no longer has an endpoint, set null, so that new events do not mark the org.
  const clear = `update ${counters} as counter set undelivered = case
      when exists (select 1 from ${dialect.table("webhooks")} w where w.org_id = counter.org_id) then false
    end
    where ${isRequested} and ${noBacklogCondition(dialect)}`
  return (orgIds: ReadonlyArray<string>): Effect.Effect<void> =>
    transaction(
      Effect.flatMap(
        execute<{ readonly org_id: string }>(lock, [toOrgRecords(orgIds)]),
        (rows) => rows.length === 0 ? Effect.void : write(clear, [JSON.stringify(rows)])
      )
    )
}

export const layer = Layer.mergeAll(webhookStore, deliveryQueue)
