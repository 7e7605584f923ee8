import type { Automation } from "@trailbook/core/automation/Automation"
import * as Fields from "../Fields.ts"
import * as Table from "../Table.ts"

export const automationTable = Fields.table<Automation>()({
  name: "automations",
  key: ["org_id", "automation"],
  fields: {
    orgId: "text",
    automation: "text",
    dial: "text",
    settings: "json",
    updatedAt: "instant?",
    nextAt: "instant?"
  }
})

/** The written columns. A write clears the lease, so a worker that holds one loses its claim. */
export const automationWriteTable = Table.make({
  ...automationTable,
  columns: { ...automationTable.columns, lease_until: "integer?" },
  encode: (automation: Automation) => ({ ...automationTable.encode(automation), lease_until: null })
})
