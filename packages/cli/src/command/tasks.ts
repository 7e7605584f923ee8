import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { failuresPerDay, TaskStore } from "@trailbook/core/task"
import type { Task } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { storageLayer } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const list: CommandRunner<"tasks list"> = async ({ database, json, taskOrg }) => {
  const tasks = await withDatabase(database, storageLayer, function*() {
    return yield* failingTasks(taskOrg, failuresPerDay)
  })
  if (json) Print.json({ data: tasks.map(view) })
  else if (tasks.length === 0) Print.note("No failed tasks.")
  else {
    Print.table(tasks, {
      ID: ({ task }) => task.id,
      ORG: ({ slug }) => slug,
      KIND: ({ task }) => task.kind,
      ABOUT: ({ task }) => task.subjectId,
      FAILED: ({ task }) => task.attempts === 1 ? "once" : `${task.attempts} times`,
      STATE: ({ task }) =>
        task.givenUpAt === null
          ? `next attempt ${Print.formatMinute(task.dueAt)}`
          : `failed permanently ${Print.formatMinute(task.givenUpAt)}`,
      "LAST ERROR": ({ task }) => task.lastError ?? ""
    })
  }
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

export const retry: CommandRunner<"tasks retry"> = async ({ all, database, json, taskId, taskOrg }) => {
  if (all === (taskId !== undefined)) {
    throw new UsageError("Pass a task ID, or pass --all to retry every task in trailbook tasks list.", "tasks retry")
  }
  const tasks = await withDatabase(database, storageLayer, function*() {
    // A task given by ID can be retried after its first failure.
    const candidates = yield* failingTasks(taskOrg, all ? failuresPerDay : 1)
    const requestedTasks = candidates.map(({ task }) => task).filter(({ id }) => all || id === taskId?.toLowerCase())
    if (!all && requestedTasks.length === 0) {
      return yield* Effect.fail(
        new OperatorError(
          `${JSON.stringify(taskId)} is not a failed task. List failed tasks with trailbook tasks list.`
        )
      )
    }
    const retriedTasks = yield* (yield* TaskStore).retry(requestedTasks, yield* currentTime)
    if (!all && retriedTasks.length === 0) {
      return yield* Effect.fail(new OperatorError("A worker is already running this task."))
    }
    return retriedTasks
  })
  if (json) Print.json({ data: tasks.map(({ id, orgId }) => ({ id, org_id: orgId })) })
  else Print.line(`Scheduled ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"} for immediate retry.`)
}

/** A failing task and its org. */
interface FailingTask {
  readonly task: Task
  /** The org's slug, as in `--org`. */
  readonly slug: string
}

/** Finds tasks that failed permanently or have failed at least `failures` times. Without an org, searches all orgs. */
const failingTasks = (slugOrId: string | undefined, failures: number) =>
  Effect.gen(function*() {
    const { failing } = yield* TaskStore
    const orgs: ReadonlyArray<Org> = slugOrId === undefined
      ? yield* (yield* OrgStore).all
      : [yield* findOrgOrDefault(slugOrId)]
    const slugs = new Map(orgs.map(({ id, slug }) => [id, slug]))
    const orgId = slugOrId === undefined ? undefined : orgs[0]?.id
    const tasks: Array<FailingTask> = []
    let after: Task | undefined
    do {
      const page = yield* failing({ orgId, failures, after, limit: pageSize })
      tasks.push(...page.map((task) => ({ task, slug: slugs.get(task.orgId) ?? task.orgId })))
      after = page.length < pageSize ? undefined : page.at(-1)
    } while (after !== undefined)
    return tasks
  })

const pageSize = 500
