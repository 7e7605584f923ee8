import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ColumnRow } from "../Columns.ts"
import { storeLayer } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { hasRows } from "../jsonParameter.ts"
import { claimAssignment, claimCondition, freeLeaseCondition } from "../lease.ts"

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
export const layer = storeLayer(SubscriptionStore, ({ dialect, execute, query, write }) => {
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
