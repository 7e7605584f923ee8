import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OrgStore } from "../org/OrgStore.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"

/**
 * Adds the org to each task's subject. The result is undefined if the org or the subject no longer exists. Each org is
 * read once.
 */
export const makeAttachOrg = Effect.map(
  OrgStore,
  ({ find }) => <Subject extends object>(tasks: ReadonlyArray<Task>, subjectOf: (task: Task) => Subject | undefined) =>
    Effect.map(Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), find), (orgOptions) => {
      const orgs = new Map(orgOptions.flatMap(Option.toArray).map((org) => [org.id, org]))
      return tasks.map((task) => {
        const subject = subjectOf(task)
        const org = orgs.get(task.orgId)
        return subject && org && { ...subject, org }
      })
    })
)

/** Runs a task's work. A failure that is not marked as permanent is retried. */
export const completeAfter = (
  work: Effect.Effect<unknown, { readonly message: string; readonly permanent?: boolean }>
): Effect.Effect<"done", Handler.TaskFailed> =>
  Effect.mapBoth(work, {
    onSuccess: () => "done" as const,
    onFailure: ({ message, permanent = false }) => new Handler.TaskFailed({ message, permanent })
  })
