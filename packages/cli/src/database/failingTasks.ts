import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { TaskStore } from "@trailbook/core/task"
import type { Task } from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import { orgIdFromDetails } from "./orgIdFromDetails.ts"

/** A failing task and its org. */
export interface FailingTask {
  readonly task: Task
  /** The org's slug, as in `--org`. */
  readonly slug: string
}

/** Finds tasks that failed permanently or have failed at least `failures` times. Without an org, searches all orgs. */
export const failingTasks = (slugOrId: string | undefined, failures: number) =>
  Effect.gen(function*() {
    const { failing } = yield* TaskStore
    const orgs: ReadonlyArray<Org> = slugOrId === undefined
      ? yield* (yield* OrgStore).all
      : [yield* orgIdFromDetails(slugOrId)]
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
