import type { Subject, Unfinished } from "@trailbook/core/port/UnfinishedStore"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const unfinishedTable = Table.make({
  name: "unfinished",
  key: ["org_id", "subject", "id"],
  columns: {
    org_id: "text",
    subject: "text",
    id: "text",
    begun_at: "instant",
    touched_at: "instant",
    cancelled: "integer",
    refunded: "integer"
  },
  decode: (row): Unfinished => ({
    orgId: row.org_id,
    subject: row.subject as Subject,
    id: row.id,
    begunAt: row.begun_at,
    touchedAt: row.touched_at,
    cancelled: row.cancelled,
    refunded: row.refunded
  }),
  encode: (row) => ({
    org_id: row.orgId,
    subject: row.subject,
    id: row.id,
    begun_at: row.begunAt,
    touched_at: row.touchedAt,
    cancelled: row.cancelled,
    refunded: row.refunded
  })
})
