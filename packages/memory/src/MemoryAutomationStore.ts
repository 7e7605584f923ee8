import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import * as Struct from "effect/Struct"
import { claimRows } from "./claimRows.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, orgKey, type QueuedAutomation, requireRow, type Tables } from "./Tables.ts"

export const layer = storeLayer(AutomationStore, (database) => {
  const { read, write } = database
  const { claim, end, release } = claimRows<QueuedAutomation, ClaimedAutomation>(database, {
    claimedBy: ({ automations }, key) => Table.get(automations, keyOf(key)),
    claimOf: Struct.omit("leaseUntil"),
    putAll
  })
  const list = (orgId: string) =>
    read(({ automations }) =>
      [...Table.range(automations, "ofOrg", orgId)].map((row) => Struct.omit(row, "fence", "leaseUntil"))
    )
  return {
    list,
    // No lock needed: transactions run one at a time.
    lock: list,
    put: (automation) =>
      write((tables) => {
        requireRow(tables.orgs, automation.orgId)
        const fence = Table.get(tables.automations, keyOf(automation))?.fence ?? 0
        return putAll(tables, [{ ...automation, fence, leaseUntil: null }])
      }),
    claim: (asked) =>
      claim(
        asked,
        ({ automations }) => Table.range(automations, "due", everyOrg, { below: { at: asked.now + 1, id: "" } })
      ),
    moveOn: (claim, nextAt) => end(claim, { nextAt }),
    release
  }
})

const keyOf = ({ automation, orgId }: { readonly orgId: string; readonly automation: string }) =>
  orgKey(orgId, automation)

const putAll = (tables: Tables, rows: ReadonlyArray<QueuedAutomation>): Tables => ({
  ...tables,
  automations: rows.reduce(Table.put, tables.automations)
})
