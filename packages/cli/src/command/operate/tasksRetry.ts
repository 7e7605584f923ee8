import { failuresOfADay, TaskStore } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import { storage } from "@trailbook/runtime/adapter"
import { Failure } from "@trailbook/runtime/Failure"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import { failingTasks } from "../../database/failingTasks.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"tasks retry"> = async ({ all, database, json, taskId, taskOrg }) => {
  if (all === (taskId !== undefined)) {
    throw new UsageError("Pass a task ID, or pass --all to retry every task in trailbook tasks list.", "tasks retry")
  }
  const tasks = await withDatabase(database, storage, function*() {
    // A task given by ID can be retried after its first failure.
    const candidates = yield* failingTasks(taskOrg, all ? failuresOfADay : 1)
    const requestedTasks = candidates.map(({ task }) => task).filter(({ id }) => all || id === taskId?.toLowerCase())
    if (!all && requestedTasks.length === 0) {
      return yield* Effect.fail(
        new Failure(`${JSON.stringify(taskId)} is not a failed task. List failed tasks with trailbook tasks list.`)
      )
    }
    const retriedTasks = yield* (yield* TaskStore).retry(requestedTasks, yield* currentTime)
    if (!all && retriedTasks.length === 0) {
      return yield* Effect.fail(new Failure("A worker is already running this task."))
    }
    return retriedTasks
  })
  if (json) Print.json({ data: tasks.map(({ id, orgId }) => ({ id, org_id: orgId })) })
  else Print.line(`Scheduled ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"} for immediate retry.`)
}
