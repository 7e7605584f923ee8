import type { ClaimedTask, Lane } from "@trailbook/core/task/Task"
import { Tasks } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType, sum } from "../Job.ts"
import { claimFairly } from "./claimFairly.ts"

/** How many runs a lane has at a time, of all orgs and of one: an org whose tasks take long leaves room for those of others. */
const rooms: Record<Lane, { readonly all: number; readonly perOrg: number }> = {
  mail: { all: 8, perOrg: 4 },
  bulk: { all: 4, perOrg: 2 },
  money: { all: 8, perOrg: 4 },
  own: { all: 2, perOrg: 1 }
}

/** Some tasks of a lane that run together, and those of them that have not ended. */
interface Batch {
  readonly tasks: ReadonlyArray<ClaimedTask>
  readonly running: Set<ClaimedTask>
}

/**
 * The tasks of one lane, some at a time. Each lane is a job, so a mail server that
 * hangs holds up no money; and in a lane each org has its turn, so a thousand mails
 * of one hold up no confirmation of another.
 *
 * A claim is up to 16 tasks, which are claimed in one commit and written down as
 * done in another. After them there is a rest, so that however many wait, whoever
 * is served by this process pays for no more than a ninth of its time: alone, a
 * caller's request leaves a third of a core unused, and a mail costs as much as a
 * booking does. So 64 mails a second leave at most. When few wait, those of half a
 * second leave together, and what was overtaken meanwhile is never written.
 *
 * @category jobs
 */
export const tasks = (lane: Lane): Effect.Effect<AnyJob, never, Tasks> =>
  Effect.map(Tasks, ({ attempt, claim, release }) => {
    const claimInTurn = claimFairly((limit, exceptOrgs) => claim(lane, limit, exceptOrgs))
    return eraseClaimType<Batch>({
      name: lane,
      concurrency: rooms[lane].all,
      pause: "500 millis",
      waitsFor: ({ lanes }) => lanes.includes(lane),
      rest: "250 millis",
      claim: (_, underWay) =>
        Effect.map(
          claimInTurn(together, fullOrgs(underWay, rooms[lane].perOrg)),
          (tasks) => tasks.length === 0 ? [] : [{ tasks, running: new Set(tasks) }]
        ),
      run: ({ running, tasks }) =>
        Effect.map(
          attempt(tasks, (task) => void running.delete(task)),
          (ends) => sum(ends.map((end) => ({ [end]: 1 })))
        ),
      release: ({ tasks }) => release(tasks)
    })
  })

const together = 16

/** Those of whose tasks as many runs as one org may have are still running some. */
const fullOrgs = (underWay: ReadonlyArray<Batch>, most: number): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { running } of underWay) {
    for (const orgId of new Set([...running].map((task) => task.orgId))) runs.set(orgId, (runs.get(orgId) ?? 0) + 1)
  }
  return [...runs].filter(([, n]) => n >= most).map(([orgId]) => orgId)
}
