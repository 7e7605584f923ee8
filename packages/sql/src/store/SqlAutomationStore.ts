import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import * as Effect from "effect/Effect"
import type { Dialect } from "../Dialect.ts"
import { isAny } from "../jsonParameter.ts"
import { isClaimOf, isFree, makeClaim } from "../lease.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import * as Table from "../Table.ts"
import { automationTable, automationWriteTable } from "../table/automationTable.ts"

/** A condition: the automation `a` is due and not leased. */
export const isDueTurn = (dialect: Dialect, now: `$${number}`): string =>
  `a.next_at <= ${now} and ${isFree(dialect, "a")}`

export const layer = storeLayer(AutomationStore, (database) => {
  const { dialect, execute, write } = database
  const rows = Rows.make(database, automationTable, "a")
  const ofOrg = `${rows.select} where a.org_id = $1`
  const lock = `${ofOrg} order by a.automation${rows.locked}`
  const claim = makeClaim(database, automationTable, {
    alias: "a",
    id: "automation",
    isDue: isDueTurn(dialect, "$1"),
    given: 1,
    order: "a.next_at, a.org_id, a.automation"
  })
  const isClaimed = `org_id = $1 and automation = $2 and ${isClaimOf("$3")}`
  const moveOn = `update ${rows.table} set next_at = $4, lease_until = null where ${isClaimed} returning automation`
  const release = `update ${rows.table} set lease_until = null where ${isClaimed}`

  return {
    list: (orgId) => rows.all(ofOrg, [orgId]),
    lock: (orgId) => rows.all(lock, [orgId]),
    put: Table.writeOne(Table.put(database, automationWriteTable)),
    claim: ({ leaseMs, limit, now }) => Effect.map(claim([now], limit, leaseMs), (rows) => rows.sort(longestDueFirst)),
    moveOn: ({ automation, fence, orgId }, nextAt) => isAny(execute(moveOn, [orgId, automation, fence, nextAt])),
    release: (claims) =>
      Effect.forEach(
        claims,
        ({ automation, fence, orgId }) => write(release, [orgId, automation, fence]),
        { discard: true }
      )
  }
})

const longestDueFirst = (a: ClaimedAutomation, b: ClaimedAutomation): number => (a.nextAt ?? 0) - (b.nextAt ?? 0)
