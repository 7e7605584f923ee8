import type { Errand, ErrandKind } from "@trailbook/core/port/Outbox"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const errandTable = Table.make({
  name: "outbox",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    kind: "text",
    booking_id: "text",
    due_at: "instant",
    attempts: "integer",
    last_error: "text?"
  },
  decode: (row): Errand => ({
    id: row.id,
    orgId: row.org_id,
    kind: row.kind as ErrandKind,
    bookingId: row.booking_id,
    dueAt: row.due_at,
    attempts: row.attempts,
    lastError: row.last_error
  }),
  encode: (errand) => ({
    org_id: errand.orgId,
    id: errand.id,
    kind: errand.kind,
    booking_id: errand.bookingId,
    due_at: errand.dueAt,
    attempts: errand.attempts,
    last_error: errand.lastError
  })
})
