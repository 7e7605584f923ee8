import { parallel, pipeline, sequential } from "@trailbook/core/concurrency"
import { ResumableJobStore } from "@trailbook/core/job"
import { RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { PendingWork, type PendingWorkSummary } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { type ClaimedTask, taskKinds, type TaskQueue, taskQueues } from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ColumnRow } from "../Columns.ts"
import { storeLayer } from "../Database.ts"
import type { Dialect } from "../Dialect.ts"
import {
  claimCondition,
  claimedKeyColumns,
  freeLeaseCondition,
  makeClaimRows,
  makeRelease,
  toClaimedKeys
} from "../lease.ts"
import * as Rows from "../Rows.ts"
import { hasRows, type keyColumns, keyCondition, toOrgKey, toOrgKeyRecord, toOrgRecords } from "../statements.ts"
import * as Table from "../Table.ts"
import { requestKeyTable, resumableJobTable, taskTable } from "../table/workTables.ts"
import { dueAutomationCondition, dueProposalCondition } from "./agentStores.ts"
import { waitingSubscriptionsQuery } from "./eventStores.ts"
import { noBacklogCondition, waitingEndpointsQuery } from "./webhookStores.ts"

const unitOfWork = storeLayer(UnitOfWork, ({ assertCanWait, dialect, snapshot, transaction }) => ({
  run: transaction,
  snapshot,
  queryAll: dialect.isOutOfProcess ? parallel : sequential,
  queryInOrder: dialect.isOutOfProcess ? pipeline : sequential,
  assertCanWait
}))

/**
 * Returns a condition that is true if the task `t` is in this queue, due, and not leased. The condition excludes task
 * kinds that only a later version knows.
 */
const dueTaskCondition = (dialect: Dialect, queue: `$${number}` | `'${TaskQueue}'`, now: `$${number}`): string =>
  `t.queue = ${queue} and t.given_up_at is null and t.due_at <= ${now} and ${freeLeaseCondition(dialect, "t")}
      and t.kind in (${taskKinds.map((kind) => `'${kind}'`).join(", ")})`

const taskStore = Rows.layer(TaskStore, taskTable, "t", (rows, database) => {
  const { dialect, execute, write } = database
  const tasks = rows.table
  const exceptColumns = { org_id: "text" } as const
  const isDue = `${dueTaskCondition(dialect, "$1", "$2")}
    and t.org_id not in (select org_id from ${dialect.records("$3", exceptColumns)} as excepted)`
  const claim = makeClaimRows(database, taskTable, { alias: "t", isDue, parameterCount: 3, order: "t.due_at, t.id" })
  const isClaimed = `org_id = $1 and id = $2 and ${claimCondition("$3")}`
  const removeDone = `delete from ${tasks} where lease_until is not null
    and (org_id, id, fence) in (select org_id, id, fence from ${dialect.records("$1", claimedKeyColumns)} as claimed)`
  const postpone = `update ${tasks} set due_at = $4, attempts = $5, last_error = $6, lease_until = null
    where ${isClaimed}`
  const giveUp = `update ${tasks} set given_up_at = $4, attempts = $5, last_error = $6, lease_until = null
    where ${isClaimed} returning id`

  // This condition must exactly match that of the partial index on failed tasks.
  const hasFailed = "(t.given_up_at is not null or t.attempts > 0)"
  const failingQuery = (after: string) =>
    `${rows.select}
    where ${hasFailed} and (t.given_up_at is not null or t.kind = 'refund' or t.attempts >= $1) and ${after}
    order by t.org_id, t.id limit $4`
  const failingOfAll = failingQuery("(t.org_id, t.id) > ($2, $3)")
  const failingOfOrg = failingQuery("t.org_id = $2 and t.id > $3")
  const retry = `update ${tasks} as t set due_at = $2, attempts = 0, given_up_at = null, lease_until = null
    where ${keyCondition(dialect, "t")} and ${hasFailed} and ${freeLeaseCondition(dialect, "t")} returning org_id, id`
  const forget = `delete from ${tasks} where (org_id, id) in (
      select t.org_id, t.id from ${tasks} t where ${hasFailed} and t.given_up_at < $1 limit $2
    ) returning id`

  return {
    add: Table.insert(database, taskTable),
    claim: ({ exceptOrgs, queue, leaseMs, limit, now }) =>
      Effect.map(
        claim([queue, now, toOrgRecords(exceptOrgs)], limit, leaseMs),
        (rows) => rows.sort(longestDueFirst)
      ),
    done: (claims) => claims.length === 0 ? Effect.void : write(removeDone, [toClaimedKeys(claims)]),
    postpone: ({ attempts, dueAt, fence, id, lastError, orgId }) =>
      write(postpone, [orgId, id, fence, dueAt, attempts, lastError]),
    giveUp: ({ attempts, fence, givenUpAt, id, lastError, orgId }) =>
      hasRows(execute(giveUp, [orgId, id, fence, givenUpAt, attempts, lastError])),
    release: makeRelease(database, tasks),
    failing: ({ after, failures, limit, orgId }) =>
      rows.all(orgId === undefined ? failingOfAll : failingOfOrg, [
        failures,
        orgId ?? after?.orgId ?? "",
        after?.id ?? "",
        limit
      ]),
    retry: (keys, now) =>
      keys.length === 0 ? Effect.succeed([]) : Effect.map(
        execute<ColumnRow<typeof keyColumns>>(retry, [JSON.stringify(keys.map(toOrgKeyRecord)), now]),
        (rows) => rows.map(toOrgKey)
      ),
    forget: (before, limit) => Effect.map(execute(forget, [before, limit]), ({ length }) => length)
  }
})

const longestDueFirst = (a: ClaimedTask, b: ClaimedTask): number => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)

const requestKeys = Rows.layer(RequestKeys, requestKeyTable, "k", (rows) => {
  const byKey = rows.by("org_id", "operation", "key")
  return {
    find: ({ key, operation, orgId }) => byKey(orgId, operation, key),
    bind: rows.addOne
  }
})

const resumableJobStore = Rows.layer(ResumableJobStore, resumableJobTable, "u", (rows, { write }) => {
  const find = rows.by("org_id", "subject", "id")
  const lock = rows.lockBy("org_id", "subject", "id")
  // This statement spans all orgs, because the engine itself runs it.
  const untouchedQuery =
    `${rows.select} where u.touched_at <= $1 order by u.touched_at, u.org_id, u.subject, u.id limit $2`
  const remove = `delete from ${rows.table} where org_id = $1 and subject = $2 and id = $3`

  return {
    find: ({ id, orgId, subject }) => find(orgId, subject, id),
    lock: ({ id, orgId, subject }) => lock(orgId, subject, id),
    put: rows.putOne,
    remove: ({ id, orgId, subject }) => write(remove, [orgId, subject, id]),
    untouchedSince: (moment, limit) => rows.all(untouchedQuery, [moment, limit])
  }
})

type Row = { readonly [Part in TaskQueue | Exclude<keyof PendingWorkSummary, "taskQueues">]: boolean | 0 | 1 }

/**
 * Checks for pending work with one statement outside a transaction. Each part is also the first query of a claim. If no
 * work is pending, each part reads only the end of an index. A stale delivery mark counts as pending work, and the
 * worker that claims it clears the mark.
 */
const pendingWork = storeLayer(PendingWork, ({ dialect, query }) => {
  const { table } = dialect
  const parts = {
    deliveries: `select 1 from (${waitingEndpointsQuery(dialect)}) waiting
      join ${table("webhooks")} w on w.org_id = waiting.org_id and w.id = waiting.id
      where ${freeLeaseCondition(dialect, "w")}
      union all select 1 from ${table("event_counters")} counter where ${noBacklogCondition(dialect)}`,
    proposals: `select 1 from ${table("proposals")} p where ${dueProposalCondition(dialect, "$1")}`,
    subscriptions: waitingSubscriptionsQuery(dialect, "$2"),
    automations: `select 1 from ${table("automations")} a where ${dueAutomationCondition(dialect, "$1")}`
  }
  const queueParts = taskQueues.map((queue) =>
    [queue, `select 1 from ${table("tasks")} t where ${dueTaskCondition(dialect, `'${queue}'`, "$1")}`] as const
  )
  const columns = [...Object.entries(parts), ...queueParts].map(([part, text]) => `exists (${text}) as ${part}`)
  const look = `select ${columns.join(", ")}`

  return {
    getSummary: ({ now, subscribers }) =>
      Effect.map(
        query<Row>(look, [now, JSON.stringify(subscribers.map(({ name, orgId }) => ({ org_id: orgId, name })))]),
        ([row]) => ({
          deliveries: Boolean(row?.deliveries),
          proposals: Boolean(row?.proposals),
          subscriptions: Boolean(row?.subscriptions),
          automations: Boolean(row?.automations),
          taskQueues: taskQueues.filter((queue) => Boolean(row?.[queue]))
        })
      )
  }
})

export const layer = Layer.mergeAll(unitOfWork, taskStore, requestKeys, resumableJobStore, pendingWork)
