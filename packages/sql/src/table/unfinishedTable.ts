import type { Unfinished } from "@trailbook/core/port/UnfinishedStore"
import * as Fields from "../Fields.ts"

/**
 * @category tables
 */
export const unfinishedTable = Fields.table<Unfinished>()({
  name: "unfinished",
  key: ["org_id", "subject", "id"],
  fields: {
    orgId: "text",
    subject: "text",
    id: "text",
    begunAt: "instant",
    touchedAt: "instant",
    cancelled: "integer",
    refunded: "integer"
  }
})
