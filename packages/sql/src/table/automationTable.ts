import type { Automation, AutomationName, Dial } from "@trailbook/core/automation/Automation"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const automationTable = Table.make({
  name: "automations",
  key: ["org_id", "automation"],
  columns: {
    org_id: "text",
    automation: "text",
    dial: "text",
    settings: "json",
    updated_at: "instant?",
    next_at: "instant?"
  },
  decode: (row): Automation => ({
    orgId: row.org_id,
    automation: row.automation as AutomationName,
    dial: row.dial as Dial,
    settings: JSON.parse(row.settings),
    updatedAt: row.updated_at,
    nextAt: row.next_at
  }),
  encode: (automation) => ({
    org_id: automation.orgId,
    automation: automation.automation,
    dial: automation.dial,
    settings: automation.settings,
    updated_at: automation.updatedAt,
    next_at: automation.nextAt
  })
})

/**
 * The same as it is written: whoever takes its turn loses it.
 *
 * @category tables
 */
export const automationWriteTable = Table.make({
  ...automationTable,
  columns: { ...automationTable.columns, lease_until: "integer?" },
  encode: (automation: Automation) => ({ ...automationTable.encode(automation), lease_until: null })
})
