import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { Dialect } from "../Dialect.ts"
import { claimed, isClaimOf, isFree } from "../lease.ts"
import * as Reader from "../Reader.ts"
import { forUpdate, forUpdateOfFree } from "../records.ts"
import * as Table from "../Table.ts"
import { automationTable, automationWriteTable } from "../table/automationTable.ts"

const claimColumns = { ...automationTable.columns, fence: "integer" } as const

type ClaimRow = RowOf<typeof claimColumns>

/**
 * A condition: the turn of the automation `a` can be claimed.
 *
 * @category SQL
 */
export const isDueTurn = (dialect: Dialect, now: `$${number}`): string =>
  `a.next_at <= ${now} and ${isFree(dialect, "a")}`

/**
 * Who asks for turns reads first, in no transaction: nearly always none is due.
 *
 * @category layers
 */
export const layer = Layer.effect(
  AutomationStore,
  Effect.map(Database, (database) => {
    const { dialect, execute, query, write } = database
    const rows = Reader.make(database, automationTable, "a")
    const ofOrg = `${rows.select} where a.org_id = $1`
    const lock = `${ofOrg} order by a.automation${forUpdate(dialect, "a")}`
    const isDue = isDueTurn(dialect, "$1")
    const look = `select exists (select 1 from ${rows.table} a where ${isDue}) as any_due`
    const claim = `with next as materialized (
        select a.org_id as next_org_id, a.automation as next_automation from ${rows.table} a where ${isDue}
        order by a.next_at, a.org_id, a.automation limit $2${forUpdateOfFree(dialect, "a")}
      )
      update ${rows.table} set ${claimed(dialect, "$3")}
      from next where org_id = next_org_id and automation = next_automation
      returning ${Object.keys(claimColumns).join(", ")}`
    const isClaimed = `org_id = $1 and automation = $2 and ${isClaimOf("$3")}`
    const moveOn = `update ${rows.table} set next_at = $4, lease_until = null where ${isClaimed} returning automation`
    const release = `update ${rows.table} set lease_until = null where ${isClaimed}`

    return AutomationStore.of({
      list: (orgId) => rows.all(ofOrg, [orgId]),
      lock: (orgId) => rows.all(lock, [orgId]),
      put: Table.one(Table.put(database, automationWriteTable)),
      claim: ({ leaseMs, limit, now }) =>
        Effect.gen(function*() {
          const [found] = yield* query<{ readonly any_due: boolean | 0 | 1 }>(look, [now])
          if (!found?.any_due) return []
          const rows = yield* execute<ClaimRow>(claim, [now, limit, leaseMs])
          return rows.map((row): ClaimedAutomation => ({ ...automationTable.decode(row), fence: row.fence })).sort(
            longestDueFirst
          )
        }),
      moveOn: ({ automation, fence, orgId }, nextAt) =>
        Effect.map(execute(moveOn, [orgId, automation, fence, nextAt]), ({ length }) => length > 0),
      release: (claims) =>
        Effect.forEach(
          claims,
          ({ automation, fence, orgId }) => write(release, [orgId, automation, fence]),
          { discard: true }
        )
    })
  })
)

const longestDueFirst = (a: ClaimedAutomation, b: ClaimedAutomation): number => (a.nextAt ?? 0) - (b.nextAt ?? 0)
