import type { Lane, Task, TaskKind } from "@trailbook/core/task/Task"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const taskTable = Table.make({
  name: "tasks",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    kind: "text",
    lane: "text",
    subject_id: "text",
    due_at: "instant",
    attempts: "integer",
    last_error: "text?",
    given_up_at: "instant?"
  },
  decode: (row): Task => ({
    id: row.id,
    orgId: row.org_id,
    kind: row.kind as TaskKind,
    lane: row.lane as Lane,
    subjectId: row.subject_id,
    dueAt: row.due_at,
    attempts: row.attempts,
    lastError: row.last_error,
    givenUpAt: row.given_up_at
  }),
  encode: (task) => ({
    org_id: task.orgId,
    id: task.id,
    kind: task.kind,
    lane: task.lane,
    subject_id: task.subjectId,
    due_at: task.dueAt,
    attempts: task.attempts,
    last_error: task.lastError,
    given_up_at: task.givenUpAt
  })
})
