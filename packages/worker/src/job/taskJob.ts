import { Tasks } from "@trailbook/core/task"
import type { ClaimedTask, TaskQueue } from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType, sumCounts } from "../Job.ts"

/**
 * The maximum number of runs per queue, in total and per org. The per-org limit keeps one org's slow tasks from blocking
 * other orgs.
 */
const rooms: Record<TaskQueue, { readonly all: number; readonly perOrg: number }> = {
  mail: { all: 8, perOrg: 4 },
  bulk: { all: 4, perOrg: 2 },
  money: { all: 8, perOrg: 4 },
  own: { all: 2, perOrg: 1 }
}

/** Tasks that were claimed together. `running` contains the unfinished tasks. */
interface Batch {
  readonly tasks: ReadonlyArray<ClaimedTask>
  readonly running: Set<ClaimedTask>
}

/**
 * Runs the tasks in one queue. Each queue has its own job, so an unresponsive mail server does not delay refunds. Within
 * a queue, claims are fair between orgs: a thousand emails from one org do not delay another org's confirmation.
 *
 * Each batch is claimed in one commit and completed in another. The delay after each batch limits the queue to
 * `perSecond` tasks per second and leaves CPU time for requests. An email costs as much CPU time as a booking, and even
 * a single caller that books in a loop leaves only a third of a core idle. At low volume, a batch contains the tasks
 * that became due in one poll interval. If another change within that interval makes an email obsolete, the email is
 * not sent.
 */
export const makeTaskJob = (
  queue: TaskQueue,
  { perSecond = defaultPerSecond }: { readonly perSecond?: number | undefined } = {}
): Effect.Effect<AnyJob, never, Tasks> =>
  Effect.map(Tasks, ({ attempt, claim, release }) => {
    const claimInTurn = makeFairClaim((limit, exceptOrgs) => claim(queue, limit, exceptOrgs))
    return eraseClaimType<Batch>({
      name: queue,
      concurrency: rooms[queue].all,
      pause: "500 millis",
      waitsFor: ({ taskQueues }) => taskQueues.includes(queue),
      rest: restAfter(perSecond),
      claim: (_, underWay) =>
        Effect.map(
          claimInTurn(batchSize(perSecond), fullOrgs(underWay, rooms[queue].perOrg)),
          (tasks) => tasks.length === 0 ? [] : [{ tasks, running: new Set(tasks) }]
        ),
      run: ({ running, tasks }) =>
        Effect.map(
          attempt(tasks, (task) => void running.delete(task)),
          (ends) => sumCounts(ends.map((end) => ({ [end]: 1 })))
        ),
      release: ({ tasks }) => release(tasks)
    })
  })

const defaultPerSecond = 64

/**
 * Returns the number of tasks that the queue runs in a quarter of a second. If the process is killed, at most 64 tasks
 * are repeated.
 */
const batchSize = (perSecond: number): number => Math.min(64, Math.max(1, Math.floor(perSecond / 4)))

/**
 * Returns the pause after a batch, in milliseconds. At the default rate or below, the queue rests for eight times as
 * long as the batch took, up to one second. A batch of up to 111 ms therefore keeps the queue busy for at most a ninth
 * of the time. Operators choose a higher rate only for a dedicated worker, where the rate alone limits the batches.
 */
const restAfter = (perSecond: number) => (durationMs: number): number => {
  const pace = 1000 * batchSize(perSecond) / perSecond
  return Math.max(pace - durationMs, perSecond > defaultPerSecond ? 0 : Math.min(1000, 8 * durationMs))
}

/** Returns the orgs that have unfinished tasks in at least `most` batches. */
const fullOrgs = (underWay: ReadonlyArray<Batch>, most: number): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { running } of underWay) {
    for (const orgId of new Set([...running].map((task) => task.orgId))) runs.set(orgId, (runs.get(orgId) ?? 0) + 1)
  }
  return [...runs].filter(([, n]) => n >= most).map(([orgId]) => orgId)
}

interface OrgItem {
  readonly orgId: string
}

/**
 * Makes a claim function fair between orgs. Claiming the oldest rows first would serve a single org until its backlog
 * is empty, so the returned function skips orgs that it has already served in the current pass. A new pass starts when
 * no unserved org has rows.
 *
 * The returned function claims up to `limit` rows and skips the orgs in `full`. It tracks the served orgs between
 * calls, and runs a second query only if it got too few rows without those orgs.
 */
export const makeFairClaim = <Row extends OrgItem>(
  claim: (limit: number, exceptOrgs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>>
) => {
  const servedOrgs = new Set<string>()
  const serve = (rows: ReadonlyArray<Row>) => rows.forEach(({ orgId }) => servedOrgs.add(orgId))
  return (limit: number, full: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Row>> =>
    Effect.gen(function*() {
      const first = yield* claim(limit, [...full, ...servedOrgs])
      const isOver = first.length < limit && servedOrgs.size > 0
      if (isOver) servedOrgs.clear()
      const rows = isOver ? [...first, ...yield* claim(limit - first.length, full)] : first
      // A short claim means that there is no backlog, so the next pass starts over.
      if (rows.length < limit) servedOrgs.clear()
      else serve(rows)
      return rows
    })
}
