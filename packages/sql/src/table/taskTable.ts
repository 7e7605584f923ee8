import type { Task, TaskKind } from "@trailbook/core/task/Task"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const taskTable = Table.make({
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
  decode: (row): Task => ({
    id: row.id,
    orgId: row.org_id,
    kind: row.kind as TaskKind,
    bookingId: row.booking_id,
    dueAt: row.due_at,
    attempts: row.attempts,
    lastError: row.last_error
  }),
  encode: (task) => ({
    org_id: task.orgId,
    id: task.id,
    kind: task.kind,
    booking_id: task.bookingId,
    due_at: task.dueAt,
    attempts: task.attempts,
    last_error: task.lastError
  })
})
