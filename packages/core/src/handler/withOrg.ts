import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OrgStore } from "../org/OrgStore.ts"
import type { Task } from "../task/Task.ts"

/**
 * What each of some tasks is about, beside its org; undefined where one of them is gone. Each org is read once.
 *
 * @category reading
 */
export const makeAttachOrg = Effect.map(
  OrgStore,
  ({ find }) => <Subject extends object>(tasks: ReadonlyArray<Task>, subjectOf: (task: Task) => Subject | undefined) =>
    Effect.map(Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), find), (found) => {
      const orgs = new Map(found.flatMap(Option.toArray).map((org) => [org.id, org]))
      return tasks.map((task) => {
        const subject = subjectOf(task)
        const org = orgs.get(task.orgId)
        return subject && org && { ...subject, org }
      })
    })
)
