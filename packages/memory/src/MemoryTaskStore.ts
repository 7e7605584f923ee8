import type { ClaimedTask } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { firstOf } from "./firstOf.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "./Lease.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, type QueuedTask, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<TaskStore, never, MemoryDatabase> = Layer.effect(
  TaskStore,
  Effect.map(MemoryDatabase, ({ read, unitOfWork, write }) =>
    TaskStore.of({
      add: (tasks) =>
        write((tables) => {
          for (const { bookingId, orgId } of tasks) referred(tables.bookings, within(orgId, bookingId))
          return putAll(tables, tasks.map((task) => ({ ...task, ...unclaimed })))
        }),
      claim: ({ kinds, leaseMs, limit, now }) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const due = yield* read(({ tasks }) =>
            firstOf(
              Table.range(tasks, "due", everyOrg, { below: { at: now + 1, id: "" } }),
              limit,
              (task) => kinds.includes(task.kind) && isFree(task, at)
            )
          )
          const taken = due.map((task) => claimed(task, at, leaseMs))
          yield* write((tables) => putAll(tables, taken))
          return taken.map(claimOf)
        })),
      done: (tasks) =>
        write((tables) => ({
          ...tables,
          tasks: tasks.flatMap((task) => queued(tables, task)).reduce(
            (left, { id, orgId }) => Table.remove(left, within(orgId, id)),
            tables.tasks
          )
        })),
      postpone: (task) =>
        write((tables) => putAll(tables, queued(tables, task).map((row) => ({ ...row, ...task, leaseUntil: null })))),
      release: (tasks) =>
        write((tables) =>
          putAll(
            tables,
            tasks.flatMap((task) => queued(tables, task)).map((row) => ({ ...row, leaseUntil: null }))
          )
        )
    }))
)

const putAll = (tables: Tables, tasks: ReadonlyArray<QueuedTask>): Tables => ({
  ...tables,
  tasks: tasks.reduce(Table.put, tables.tasks)
})

/** The row that is claimed, unless the claim is void. */
const queued = ({ tasks }: Tables, claim: ClaimedTask): ReadonlyArray<QueuedTask> => {
  const row = Table.get(tasks, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}

const claimOf = (task: QueuedTask): ClaimedTask => Struct.omit(task, "leaseUntil")
