import type { ClaimedTask } from "@trailbook/core/task/Task"
import type { TaskStore } from "@trailbook/core/task/TaskStore"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "../Lease.ts"
import { page } from "../page.ts"
import { type QueuedTask, within } from "../Rows.ts"
import { type Change, get, inGroup, type State } from "../State.ts"

export const tasks = ({ read, unitOfWork, write }: Journal): TaskStore["Type"] => ({
  add: (added) => write(() => added.map((task) => put({ ...task, ...unclaimed }))),
  // Units run one after the other, so what this one has read is still free when it writes.
  claim: ({ kinds, leaseMs, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const at = yield* moment
      const due = yield* read(({ tasks }) =>
        inGroup(tasks, "all").filter((task) => task.dueAt <= now && kinds.includes(task.kind) && isFree(task, at))
      )
      const next = page(due, ({ dueAt, id, orgId }) => ({ at: dueAt, id: within(orgId, id) }), { limit })
      const taken = next.map((task) => claimed(task, at, leaseMs))
      yield* write(() => taken.map(put))
      return taken.map((task) => Struct.omit(task, "leaseUntil"))
    })),
  done: (claims) =>
    write((state) =>
      claims.flatMap((claim) => queued(state, claim)).map((row): Change => ({ table: "tasks", row, gone: true }))
    ),
  postpone: (claim) => write((state) => queued(state, claim).map((row) => put({ ...row, ...claim, leaseUntil: null }))),
  release: (claims) =>
    write((state) => claims.flatMap((claim) => queued(state, claim)).map((row) => put({ ...row, leaseUntil: null })))
})

const put = (row: QueuedTask): Change => ({ table: "tasks", row })

/** The row that is claimed, unless the claim is void. */
const queued = ({ tasks }: State, claim: ClaimedTask): ReadonlyArray<QueuedTask> => {
  const row = get(tasks, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}
