import { failuresOfADay } from "@trailbook/core/task"
import * as Instant from "@trailbook/core/time/Instant"
import { storage } from "@trailbook/runtime/adapter"
import { type FailingTask, failingTasks } from "../../database/failingTasks.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"tasks list"> = async ({ database, json, taskOrg }) => {
  const tasks = await withDatabase(database, storage, function*() {
    return yield* failingTasks(taskOrg, failuresOfADay)
  })
  if (json) Print.json({ data: tasks.map(view) })
  else if (tasks.length === 0) Print.note("No failed tasks.")
  else for (const line of table(heads, tasks.map(cells))) Print.line(line)
}

const view = ({ slug, task }: FailingTask) => ({
  id: task.id,
  org_id: task.orgId,
  org: slug,
  kind: task.kind,
  subject_id: task.subjectId,
  attempts: task.attempts,
  last_error: task.lastError,
  due_at: Instant.format(task.dueAt),
  given_up_at: task.givenUpAt === null ? null : Instant.format(task.givenUpAt)
})

const heads = ["ID", "ORG", "KIND", "ABOUT", "FAILED", "STATE", "LAST ERROR"]

const cells = ({ slug, task }: FailingTask): ReadonlyArray<string> => [
  task.id,
  slug,
  task.kind,
  task.subjectId,
  task.attempts === 1 ? "once" : `${task.attempts} times`,
  task.givenUpAt === null ? `next attempt ${minute(task.dueAt)}` : `failed permanently ${minute(task.givenUpAt)}`,
  task.lastError ?? ""
]

const minute = (moment: Instant.Instant): string => `${Instant.format(moment).slice(0, 16)}Z`
