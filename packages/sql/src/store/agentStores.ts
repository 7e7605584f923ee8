import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation"
import { ProposalStore } from "@trailbook/core/proposal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ColumnRow } from "../Columns.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { claimCondition, freeLeaseCondition, makeClaimRows, makeRelease } from "../lease.ts"
import * as Rows from "../Rows.ts"
import { hasRows, type keyColumns, keyCondition, maxPosition, toOrgKey } from "../statements.ts"
import * as Table from "../Table.ts"
import { automationTable, automationWriteTable, proposalTable } from "../table/workTables.ts"

/** Returns a condition that is true if the automation `a` is due and not leased. */
export const dueAutomationCondition = (dialect: Dialect, now: `$${number}`): string =>
  `a.next_at <= ${now} and ${freeLeaseCondition(dialect, "a")}`

const automationStore = Rows.layer(AutomationStore, automationTable, "a", (rows, database) => {
  const { dialect, execute, write } = database
  const ofOrg = `${rows.select} where a.org_id = $1`
  const lock = `${ofOrg} order by a.automation${rows.locked}`
  const claim = makeClaimRows(database, automationTable, {
    alias: "a",
    id: "automation",
    isDue: dueAutomationCondition(dialect, "$1"),
    parameterCount: 1,
    // Sort only by the indexed column, because the briefs for all outfitters in a time zone are due at the same time.
    order: "a.next_at"
  })
  const isClaimed = `org_id = $1 and automation = $2 and ${claimCondition("$3")}`
  const moveOn = `update ${rows.table} set next_at = $4, lease_until = null where ${isClaimed} returning automation`
  const release = `update ${rows.table} set lease_until = null where ${isClaimed}`

  return {
    list: (orgId) => rows.all(ofOrg, [orgId]),
    lock: (orgId) => rows.all(lock, [orgId]),
    put: Table.makeWriteOne(Table.put(database, automationWriteTable)),
    claim: ({ leaseMs, limit, now }) => Effect.map(claim([now], limit, leaseMs), (rows) => rows.sort(longestDueFirst)),
    scheduleNextRun: ({ automation, fence, orgId }, nextAt) =>
      hasRows(execute(moveOn, [orgId, automation, fence, nextAt])),
    release: (claims) =>
      Effect.forEach(
        claims,
        ({ automation, fence, orgId }) => write(release, [orgId, automation, fence]),
        { discard: true }
      )
  }
})

const longestDueFirst = (a: ClaimedAutomation, b: ClaimedAutomation): number => (a.nextAt ?? 0) - (b.nextAt ?? 0)

/** Returns a condition that is true if the proposal `p` is due and not leased. */
export const dueProposalCondition = (dialect: Dialect, now: `$${number}`): string =>
  `p.run_at <= ${now} and ${freeLeaseCondition(dialect, "p")}`

const proposalStore = Rows.layer(ProposalStore, proposalTable, "p", (rows, database) => {
  const { dialect, execute, query } = database
  const names = Object.keys(proposalTable.columns).join(", ")
  const insert = `insert into ${rows.table} (${names})
    select ${names} from ${dialect.records("$1", proposalTable.columns)} as given where true
    on conflict (org_id, automation, subject, day) do nothing returning id`
  const lock = `${rows.select} where ${keyCondition(dialect, "p")} order by p.org_id, p.id${rows.locked}`
  const page = (filter: string) =>
    `${rows.select} where p.org_id = $1 and (p.created_at, p.id) < ($2, $3)${filter}
    order by p.created_at desc, p.id desc limit $4`
  const countOwn = `select count(*) as counted from ${rows.table} p
    where p.org_id = $1 and p.decided_by = 'agent' and p.decided_at > $2`
  const overdue = `select p.org_id, p.id from ${rows.table} p
    where p.status = 'pending' and p.run_at is null and p.expires_at <= $1 order by p.expires_at, p.id limit $2`
  const claim = makeClaimRows(database, proposalTable, {
    alias: "p",
    isDue: dueProposalCondition(dialect, "$1"),
    parameterCount: 1,
    order: "p.run_at, p.id"
  })
  const isClaimed = `select p.id from ${rows.table} p where p.org_id = $1 and p.id = $2 and ${claimCondition("$3")}`

  return {
    add: (proposal) => hasRows(execute(insert, [JSON.stringify([proposalTable.encode(proposal)])])),
    find: rows.findAll,
    lock: rows.ofKeys(lock),
    list: ({ after = maxPosition, automation, limit, orgId, status }) => {
      const values: Array<SqlValue> = [orgId, after.at, after.id, limit]
      // SQLite plans for the value of a bare parameter if a partial index has a condition on the column, so it would
      // prepare the statement again for each call. It does not plan for the value of a cast.
      const statusFilter = status === undefined ? "" : ` and p.status = cast($${values.push(status)} as text)`
      const automationFilter = automation === undefined ? "" : ` and p.automation = $${values.push(automation)}`
      return rows.all(page(statusFilter + automationFilter), values)
    },
    put: rows.putOne,
    countOwn: (orgId, after) =>
      Effect.map(
        query<{ readonly counted: number }>(countOwn, [orgId, after]),
        ([row]) => row?.counted ?? 0
      ),
    overdue: (now, limit) =>
      Effect.map(query<ColumnRow<typeof keyColumns>>(overdue, [now, limit]), (rows) => rows.map(toOrgKey)),
    claim: ({ leaseMs, limit, now }) =>
      Effect.map(claim([now], limit, leaseMs), (rows) => rows.sort((a, b) => (a.runAt ?? 0) - (b.runAt ?? 0))),
    isClaimed: ({ fence, id, orgId }) => hasRows(query(isClaimed, [orgId, id, fence])),
    release: makeRelease(database, rows.table)
  }
})

export const layer = Layer.mergeAll(automationStore, proposalStore)
