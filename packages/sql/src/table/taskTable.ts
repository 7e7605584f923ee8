import type { Task } from "@trailbook/core/task/Task"
import * as Fields from "../Fields.ts"

export const taskTable = Fields.table<Task>()({
  name: "tasks",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    kind: "text",
    lane: "text",
    subjectId: "text",
    dueAt: "instant",
    attempts: "integer",
    lastError: "text?",
    givenUpAt: "instant?"
  }
})
