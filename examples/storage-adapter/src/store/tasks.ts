import type { TaskKey, TaskStore } from "@trailbook/core/task"
import type { ClaimedTask } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimRow, isClaimOf, isFree, unclaimedLease } from "../Lease.ts"
import { page } from "../page.ts"
import { type QueuedTask, within } from "../Rows.ts"
import { type Change, findRows, get, inGroup, type State } from "../State.ts"

export const tasks = ({ read, unitOfWork, write }: Journal): TaskStore["Type"] => ({
  add: (newTasks) => write(() => newTasks.map((task) => put({ ...task, ...unclaimedLease }))),
  // Transactions run one after another, so rows that were read are still unclaimed when they are written.
  claim: ({ exceptOrgs, queue, leaseMs, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const at = yield* currentTime
      const due = yield* read(({ tasks }) =>
        inGroup(tasks, `due in ${queue}`).filter((task) =>
          task.dueAt <= now && !exceptOrgs.includes(task.orgId) && isFree(task, at)
        )
      )
      const next = page(due, ({ dueAt, id, orgId }) => ({ at: dueAt, id: within(orgId, id) }), { limit })
      const claims = next.map((task) => claimRow(task, at, leaseMs))
      yield* write(() => claims.map(put))
      return claims.map((task) => Struct.omit(task, "leaseUntil"))
    })),
  giveUp: (claim) =>
    unitOfWork.run(Effect.gen(function*() {
      const rows = yield* read((state) => queued(state, claim))
      yield* write(() => rows.map((row) => put({ ...row, ...claim, leaseUntil: null })))
      return rows.length > 0
    })),
  failing: ({ after, failures, limit, orgId }) =>
    read(({ tasks }) =>
      page(
        inGroup(tasks, "failed").filter((task) =>
          (orgId === undefined || task.orgId === orgId) && (task.givenUpAt !== null || task.attempts >= failures)
        ),
        position,
        { after: after && position(after), limit }
      ).map((task) => Struct.omit(task, "fence", "leaseUntil"))
    ),
  retry: (keys, now) =>
    unitOfWork.run(Effect.gen(function*() {
      const at = yield* currentTime
      const rows = yield* read(({ tasks }) =>
        findRows(tasks, keys).filter((task) => (task.givenUpAt !== null || task.attempts > 0) && isFree(task, at))
      )
      const untried = { dueAt: now, attempts: 0, givenUpAt: null, leaseUntil: null }
      yield* write(() => rows.map((row) => put({ ...row, ...untried })))
      return rows.map(({ id, orgId }) => ({ orgId, id }))
    })),
  forget: (before, limit) =>
    unitOfWork.run(Effect.gen(function*() {
      const old = yield* read(({ tasks }) =>
        inGroup(tasks, "failed").filter(({ givenUpAt }) => givenUpAt !== null && givenUpAt < before).slice(0, limit)
      )
      yield* write(() => old.map((row): Change => ({ table: "tasks", row, gone: true })))
      return old.length
    })),
  done: (claims) =>
    write((state) =>
      claims.flatMap((claim) => queued(state, claim)).map((row): Change => ({ table: "tasks", row, gone: true }))
    ),
  postpone: (claim) => write((state) => queued(state, claim).map((row) => put({ ...row, ...claim, leaseUntil: null }))),
  release: (claims) =>
    write((state) => claims.flatMap((claim) => queued(state, claim)).map((row) => put({ ...row, leaseUntil: null })))
})

const position = ({ id, orgId }: TaskKey) => ({ at: 0, id: within(orgId, id) })

const put = (row: QueuedTask): Change => ({ table: "tasks", row })

/** Returns the claimed row, or nothing if the claim is void. */
const queued = ({ tasks }: State, claim: ClaimedTask): ReadonlyArray<QueuedTask> => {
  const row = get(tasks, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}
