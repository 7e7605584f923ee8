import type { ClaimedTask, Lane } from "@trailbook/core/task/Task"
import { Tasks } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType, sum } from "../Job.ts"
import { claimFairly } from "./claimFairly.ts"

/**
 * The maximum number of runs per lane, in total and per org. The limit per org keeps slow tasks of one org from
 * blocking the tasks of other orgs.
 */
const rooms: Record<Lane, { readonly all: number; readonly perOrg: number }> = {
  mail: { all: 8, perOrg: 4 },
  bulk: { all: 4, perOrg: 2 },
  money: { all: 8, perOrg: 4 },
  own: { all: 2, perOrg: 1 }
}

/** Tasks of a lane that run together. `running` contains the unfinished ones. */
interface Batch {
  readonly tasks: ReadonlyArray<ClaimedTask>
  readonly running: Set<ClaimedTask>
}

/**
 * Runs the tasks of one lane. Each lane is a separate job, so an unresponsive mail server does not delay refunds.
 * Within a lane, claims are fair between orgs, so a thousand emails of one org do not delay a confirmation of another.
 *
 * One commit claims a batch of tasks, and one records their completion. The delay after each batch limits the lane to
 * `perSecond` tasks and leaves the CPU to request handling. Sending an email costs as much CPU as a booking, and a
 * single sequential caller leaves only a third of a core unused. At low volume, the tasks that became due within one
 * poll interval run as one batch, and an email that a later change has made obsolete is not sent.
 */
export const tasks = (lane: Lane, perSecond = defaultPerSecond): Effect.Effect<AnyJob, never, Tasks> =>
  Effect.map(Tasks, ({ attempt, claim, release }) => {
    const claimInTurn = claimFairly((limit, exceptOrgs) => claim(lane, limit, exceptOrgs))
    return eraseClaimType<Batch>({
      name: lane,
      concurrency: rooms[lane].all,
      pause: "500 millis",
      waitsFor: ({ lanes }) => lanes.includes(lane),
      rest: restAfter(perSecond),
      claim: (_, underWay) =>
        Effect.map(
          claimInTurn(batchSize(perSecond), fullOrgs(underWay, rooms[lane].perOrg)),
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

const defaultPerSecond = 64

/** A quarter of a second of tasks. At most 64 tasks can repeat after a kill. */
const batchSize = (perSecond: number): number => Math.min(64, Math.max(1, Math.floor(perSecond / 4)))

/**
 * Up to the default rate, a batch rests eight times its duration, so a batch of up to 111 ms uses at most a ninth of the
 * time. At a higher rate, which an operator chooses for a dedicated worker, only the rate limits the batches.
 */
const restAfter = (perSecond: number) => (durationMs: number): number => {
  const pace = 1000 * batchSize(perSecond) / perSecond
  return Math.max(pace - durationMs, perSecond > defaultPerSecond ? 0 : Math.min(1000, 8 * durationMs))
}

/** Orgs with unfinished tasks in `most` or more batches. */
const fullOrgs = (underWay: ReadonlyArray<Batch>, most: number): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { running } of underWay) {
    for (const orgId of new Set([...running].map((task) => task.orgId))) runs.set(orgId, (runs.get(orgId) ?? 0) + 1)
  }
  return [...runs].filter(([, n]) => n >= most).map(([orgId]) => orgId)
}
